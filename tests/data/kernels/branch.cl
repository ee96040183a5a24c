/* SPDX-License-Identifier: MIT */
/* Control flow that channels take differently. */

/* Greatest common divisor, Collatz length, integer square root: loops of unlike lengths. */
kernel void loops(global const uint *a, global const uint *b, global uint *o)
{
    uint i = get_global_id(0);
    uint x = a[i], y = b[i];

    while (y) {
        uint t = x % y;
        x = y;
        y = t;
    }
    o[3 * i] = x;
    uint n = a[i] | 1, steps = 0;
    do {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        steps++;
    } while (n != 1 && steps < 200);
    o[3 * i + 1] = steps;
    uint r = 0;
    for (uint bit = 1u << 14; bit; bit >>= 1)
        if ((r | bit) * (r | bit) <= b[i])
            r |= bit;
    o[3 * i + 2] = r;
}

kernel void nested(global const int *a, global int *o, int limit)
{
    uint i = get_global_id(0);
    int found = -1, work = 0;

    for (int x = 0; x < 12; x++) {
        if (a[(i + x) % 64] == 0)
            continue;
        for (int y = x; y < 12; y++) {
            work++;
            if (((a[i] + x * y) & 7) == 3) {
                if (work > limit)
                    break;
                continue;
            }
            int z = 0;
            while (z < y) {
                z += (a[(i + z) % 64] & 3) + 1;
                if (z * x > 50)
                    goto out;
            }
            work += z;
        }
        if (work > 4 * limit) {
            found = x;
            break;
        }
    }
out:
    o[2 * i] = found;
    o[2 * i + 1] = work;
}

kernel void early(global const int *a, global int *o)
{
    uint i = get_global_id(0);

    o[i] = 1;
    if (a[i] < -50)
        return;
    for (int k = 0; k < 10; k++) {
        if (a[i] + k == 7)
            return;
        o[i] += k;
        if (a[i] > 40 && k == 5) {
            o[i] = -o[i];
            return;
        }
    }
    if (i & 1)
        return;
    o[i] *= 10;
}

kernel void dense(global const int *a, global int *o, int u)
{
    uint i = get_global_id(0);
    int x = a[i], y = 0;

    switch (x & 15) {
    case 0:
        y = x * 3;
        break;
    case 1:
    case 2:
        y = x - 100;
        /* falls through */
    case 3:
        y += 7;
        break;
    case 4:
        y = x / 3;
        break;
    case 5:
        for (int k = 0; k < x % 7; k++)
            y += k;
        break;
    case 6:
        y = -x;
        break;
    case 9:
        if (x > 0)
            break;
        y = 9;
        break;
    case 12:
        y = 12;
        /* falls through */
    default:
        y ^= 0x55;
    }
    switch (u) { /* the same for all */
    case 1:
        y += 1;
        break;
    case 2:
        y -= 2;
        break;
    case 1000000:
        y = 5;
    }
    o[i] = y;
}

kernel void sparse(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int y = 0;

    for (int k = 0; k < 4; k++) {
        switch (a[4 * i + k]) {
        case -2000000000:
            y += 1;
            break;
        case -7:
            y += 10;
            continue;
        case 0:
            y *= 3;
            break;
        case 65536:
            y += 100;
            break;
        case 1999999999:
            k++;
            break;
        default:
            y -= 5;
        }
        y++;
    }
    o[i] = y;
}

/* Two ways into a loop. */
kernel void irreducible(global const int *a, global int *o)
{
    uint i = get_global_id(0);
    int x = a[i], n = 0;

    if (x & 1)
        goto middle;
top:
    x = x * 3 + 1;
    n++;
    if (n > 30)
        goto end;
middle:
    x >>= 1;
    n += 2;
    if ((x & 3) == 2)
        goto top;
    if (x > 9)
        goto middle;
    if (n < 12) {
        x += 40 + n;
        goto top;
    }
end:
    o[2 * i] = x;
    o[2 * i + 1] = n;
}

/* A state machine in a loop: reads numbers, signs and blanks. */
kernel void machine(global const uchar *text, global int *o, uint length)
{
    uint i = get_global_id(0);
    int sum = 0, number = 0, sign = 1, state = 0;

    for (uint k = 0; k <= 24; k++) {
        uchar c = k < 24 ? text[(i * 11 + k) % length] & 15 : 15;
        switch (state) {
        case 0:
            if (c < 10) {
                number = c;
                state = 2;
            } else if (c == 10) {
                sign = -1;
                state = 1;
            }
            break;
        case 1:
            state = c < 10 ? 2 : 0;
            number = c < 10 ? c : 0;
            sign = c < 10 ? sign : 1;
            break;
        case 2:
            if (c < 10 && number < 100000) {
                number = number * 10 + c;
            } else {
                sum += sign * number;
                sign = 1;
                state = c == 10;
                if (c == 10)
                    sign = -1;
            }
        }
    }
    o[i] = sum;
}

kernel void conditions(global const int *a, global const float *f, global int *o)
{
    uint i = get_global_id(0);
    int x = a[i], y = a[i + 1];
    float u = f[i], v = f[i + 1];
    int r = 0;

    if ((x > 0 && y > 0) || (x < -10 && u < 0) || (v > u && !(y & 1)))
        r |= 1;
    if (!(u < v) && (x ^ y) > 3)
        r |= 2;
    r |= (x > y ? (u > 0 ? 4 : 8) : (v > 0 ? 16 : 32));
    if (any((int2)(x, y) < 0) && all((int2)(x, y) > -40))
        r |= 64;
    bool p = x > 5, q = u > v, s = y == x;
    r |= ((p & q) | (!p & s)) << 7;
    r |= (p != q) << 8;
    while (r < 1000 && (p || (q && x++ < 30)))
        r += 100;
    o[i] = r;
}
