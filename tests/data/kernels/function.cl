/* SPDX-License-Identifier: MIT */
/* Functions that are not inlined; compiled also as subroutines, stack calls and indirect calls. */
#define CALLED __attribute__((noinline))

struct shape {
    float4 box;
    int kind;
    short counts[3];
};

struct pair {
    long a;
    char b;
};

CALLED float area(struct shape s)
{
    float w = s.box.z - s.box.x, h = s.box.w - s.box.y;
    return s.kind == 0 ? w * h : s.kind == 1 ? 0.5f * w * h : w * w + s.counts[1];
}

CALLED struct shape grown(struct shape s, float by)
{
    s.box.zw += by;
    s.counts[s.kind % 3u] += 2;
    s.kind++;
    return s;
}

CALLED int walk(global const int *p, int n)
{
    int sum = 0;
    while (n > 0 && *p != 13) {
        sum += *p++;
        n--;
    }
    return sum;
}

CALLED void bump(int *private_value, global int *global_value, int by)
{
    *private_value += by;
    if (by & 1)
        *global_value -= by;
}

CALLED int level3(int x)
{
    return x & 1 ? x * 3 + 1 : x / 2;
}

CALLED int level2(int x, int n)
{
    for (int k = 0; k < n; k++)
        x = level3(x + k);
    return x;
}

CALLED int level1(int x, global const int *a)
{
    if (x > 20)
        return level2(x, a[0] & 7);
    return level2(x - 1, 3) + level3(a[1]);
}

CALLED struct pair twice(struct pair p, uchar n)
{
    p.a += (long)n << 33;
    p.b ^= n;
    return p;
}

CALLED int many(char a, short b, int c, long d, float e, int4 f, uchar g, int *h, float8 i, long j,
                ushort k, int8 l, int m)
{
    *h += m;
    return a + b * 2 + c * 3 + (int)(d >> 5) + (int)e + f.x - f.w + g + (int)(i.s7 - i.s0) +
           (int)j + k + l.s6 * m;
}

CALLED void sum_local(local int *t, uint l, uint n, global int *o)
{
    int s = 0;
    for (uint k = 0; k <= l; k++)
        s += t[k];
    o[l] = s + n;
}

kernel void by_value(global const float *f, global const int *a, global float *o)
{
    uint i = get_global_id(0);
    struct shape s = {vload4(i, f), a[i] & 3, {1, a[i] & 7, 3}};

    s.box.zw = s.box.xy + fabs(s.box.zw);
    if (a[i] & 4)
        s = grown(s, 1.5f);
    o[2 * i] = area(s);
    s = grown(s, 0.25f);
    o[2 * i + 1] = area(s) + s.counts[i % 3];
}

kernel void pointed(global int *a, global int *o)
{
    uint i = get_global_id(0);
    int mine[2] = {(int)i, -3};

    o[i] = walk(a + (i & ~7), 5);
    for (int k = 0; k < (a[i] & 3); k++)
        bump(&mine[k & 1], o + i, k + (a[i] & 1));
    o[i] += mine[0] * 1000 + mine[1];
}

kernel void deep(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int x = a[i];

    for (int turn = 0; turn < 9 && x > 3 && x < 10000; turn++) {
        x = level1(x, a + (i & 15)) - 2;
        if (x == 17)
            break;
    }
    if (i % 3)
        x += level3(x) + level2(a[i], i & 3);
    o[i] = x;
}

kernel void wide(global const long *a, global long *o, global int *w)
{
    uint i = get_global_id(0);
    struct pair p = {a[i], (char)i};
    int extra = 5;

    if (a[i] > 0)
        p = twice(p, (uchar)a[i]);
    p = twice(p, 200);
    o[2 * i] = p.a;
    o[2 * i + 1] = p.b;
    w[i] = many((char)i, (short)a[i], 7, a[i], 2.5f, (int4)(1, 2, 3, (int)i), (uchar)(a[i] >> 8),
                &extra, (float8)(i, 1, 2, 3, 4, 5, 6, 7), -a[i] % 1000, (ushort)(i * 999),
                (int8)(0, 1, 2, 3, 4, 5, (int)i, 7), 3);
    w[i] += extra;
}

kernel void locally(global const int *a, global int *o)
{
    local int t[40];
    uint l = get_local_id(0), n = get_local_size(0);

    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 3 != 1)
        sum_local(t, l, n, o + get_group_id(0) * n);
}
