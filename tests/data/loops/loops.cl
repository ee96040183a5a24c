// SPDX-License-Identifier: MIT
// Loops that leave their memory, or nearly do. All kernels take the same arguments: `out` and `in`, a number of
// rounds, an index to begin with, what it grows by, and another number.
#define KERNEL(name) \
    kernel void name(global uint *out, global uint *in, int n, int start, int step, long more)

KERNEL(loads)
{
    uint l = get_global_id(0), sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + in[start + i * step + (int)l];
    out[l] = sum;
}

/* All work-items the same place. */
KERNEL(uniform_loads)
{
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + in[start + i * step];
    out[get_global_id(0)] = sum;
}

KERNEL(stores)
{
    int l = get_global_id(0);

    for (int i = 0; i < n; i++)
        out[start + i * step + l] = i * 1000 + l;
}

KERNEL(moves)
{
    int l = get_global_id(0);

    for (int i = 0; i < n; i++)
        out[start + i * step + l] = in[l + i * 16] + i;
}

KERNEL(backwards)
{
    int l = get_global_id(0);

    for (int i = n - 1; i >= 0; i--)
        out[start + i * 16 + l] = in[step * i + l] + i;
}

KERNEL(unsigned_index)
{
    uint k = (uint)start, sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[k];
        k += (uint)step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(signed_index)
{
    uint k = (uint)start, sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[more + (int)k];
        k += (uint)step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(unsigned_more)
{
    uint k = (uint)start + get_global_id(0), sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[more + (long)k];
        k += (uint)step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(short_index)
{
    ushort k = (ushort)start;
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[more + k];
        k += step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(signed_short)
{
    short k = (short)start;
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[more + k];
        k += step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(char_index)
{
    uchar k = (uchar)start;
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[more + k];
        out[(k + 8) & 0xff] += i;
        k += step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(wide_index)
{
    long k = start;
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[k];
        k += more;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(byte_index)
{
    global uchar *p = (global uchar *)in + start;
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + *p;
        p += step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(wide_elements)
{
    global ulong *p = (global ulong *)in;
    int l = get_global_id(0);
    ulong4 sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + vload4(start + i * step, p);
        vstore2(sum.xy, start + i * step + l, (global ulong *)out);
    }
    out[l] = (uint)(sum.x + sum.y + sum.z + sum.w);
}

/* Most of what these do is to read: many tests for few instructions. */
#define FOUR(p) ((p)[0] + (p)[50] * 5 + (p)[100] * 7 + (p)[150] * 9)

KERNEL(dense)
{
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + FOUR(in + start + i * step);
    out[get_global_id(0)] = sum;
}

KERNEL(dense_unsigned)
{
    uint k = (uint)start, sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + FOUR(in + more + (long)k);
        k += (uint)step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(dense_signed)
{
    uint k = (uint)start, sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + FOUR(in + more + (int)k);
        k += (uint)step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(dense_bits)
{
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + FOUR(in + more + ((start + i * step) & 0x7ff));
    out[get_global_id(0)] = sum;
}

KERNEL(dense_wide)
{
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + FOUR((global uint *)((global uchar *)in + more * i) + start);
    out[get_global_id(0)] = sum;
}

KERNEL(dense_stores)
{
    for (int i = 0; i < n; i++) {
        global uint *p = out + start + i * step;
        p[0] = i;
        p[50] = in[i] + 1;
        p[100] = i * 5;
        p[150] = in[i + 400];
    }
}

/* With a condition that holds in some rounds, and one that ends the loop. */
KERNEL(dense_exits)
{
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        global uint *p = in + start + i * step;
        if (i < (int)more)
            sum += FOUR(p);
        if (in[i] == 77)
            break;
        if ((i & 3) == 2)
            continue;
        sum = sum * 3 + FOUR(p + 20);
    }
    out[get_global_id(0)] = sum;
}

KERNEL(doubled)
{
    uint k = (uint)start, sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[k];
        k = k * 2 + step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(square)
{
    int k = start, by = 0;
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[k];
        k += by;
        by += step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(swapped)
{
    int a = start, b = (int)more;
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        int c = a;
        sum = sum * 3 + in[a];
        a = b;
        b = c + step;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(chased)
{
    uint k = (uint)start, l = get_global_id(0);

    for (int i = 0; i < n; i++) {
        k = in[k] + step;
        out[l + i * 16] = k;
    }
}

/* `more` bytes from one buffer to the other. */
KERNEL(chosen)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        global uint *p = ((i >> 2) & 1) ? (global uint *)((global uchar *)in + more) : in;
        sum = sum * 3 + p[start + i * step + l];
    }
    out[l] = sum;
}

KERNEL(crossing)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        global uint *p = (global uint *)((global uchar *)in + more * i);
        sum = sum * 3 + p[start + l];
        p[start + l] = sum;
    }
    out[l] = sum;
}

KERNEL(exits)
{
    int l = get_global_id(0), i = 0;
    uint sum = 0;

    for (;;) {
        if (i >= n)
            break;
        sum = sum * 3 + in[start + i * step + l];
        i++;
        if ((sum & 15) == (uint)more)
            continue;
        if (in[i] == 77)
            break;
        out[16 + i * 16 + l] = sum;
        if (in[i + 1] == 78) {
            sum ^= 5;
            break;
        }
    }
    out[l] = sum + i;
}

KERNEL(uniform_exits)
{
    int i = 0;
    uint sum = 0;

    do {
        uint x = in[start + i * step];
        if (x == 77)
            break;
        sum = sum * 3 + x;
        if (x & 1)
            continue;
        if (in[start + i * step + 1] == 78)
            goto done;
        out[64 + i] = sum;
    } while (++i < n);
    sum += 3;
done:
    out[get_global_id(0)] = sum + i;
}

KERNEL(nested)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int j = 0; j < n; j++) {
        for (int i = 0; i <= j; i++)
            sum = sum * 3 + in[start + i * step + j * (int)more + l];
        out[l + j * 16] = sum;
        for (int i = j; i > 0; i -= 2)
            out[l + i * 16] += in[start + j * step - i];
    }
}

KERNEL(some_rounds)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        if (i >= (int)more)
            sum = sum * 3 + in[start + i * step + l];
        if (i & 4)
            out[i * 16 + l] = sum;
    }
    out[l] = sum;
}

KERNEL(masked)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        if ((l ^ i) & 3)
            sum = sum * 3 + in[start + i * step + l];
        if (l < i)
            out[start + i * step + l] = sum;
        if (l == (int)more)
            sum++;
    }
    out[l] = sum;
}

KERNEL(apart)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int i = 0; i < n + (l & 3); i++)
        sum = sum * 3 + in[start + i * step + l * (int)more];
    out[l] = sum;
}

KERNEL(atomics)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + atomic_add(&out[start + i * step + l * (int)more], i + 1);
    in[l] = sum;
}

KERNEL(shared)
{
    local uint s[256];
    int l = get_local_id(0);
    uint sum = 0;

    for (int i = 0; i < 256; i += 16)
        s[i + (l & 15)] = in[i + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        sum = sum * 3 + s[start + i * step + l];
        if (i >= (int)more)
            s[start + i * step + l] = sum;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(shared_atomics)
{
    local uint s[256];
    int l = get_local_id(0);
    uint sum = 0;

    for (int i = 0; i < 256; i += 16)
        s[i + (l & 15)] = in[i + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++)
        sum = sum * 3 + atomic_add(&s[start + i * step], i);
    out[get_global_id(0)] = sum;
}

KERNEL(gathered)
{
    int l = get_global_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        uint k = in[i * 16 + l] & 1023;
        sum = sum * 3 + in[k + start] + in[start + i * step];
        out[i * 16 + (int)(k & 15)] = i;
    }
    out[l] = sum;
}

KERNEL(low_bits)
{
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + in[((start + i * step) & 0x7ff) + more];
    out[get_global_id(0)] = sum;
}

KERNEL(shifted)
{
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        sum = sum * 3 + in[(((uint)(start + i * step) << 21) >> 21) + more];
        sum = sum * 3 + in[(start + i * step) >> 3];
    }
    out[get_global_id(0)] = sum;
}

/* A sum of numbers that all grow. */
KERNEL(fibonacci)
{
    uint a = start, b = step, sum = 0;

    for (int i = 0; i < n; i++) {
#pragma unroll
        for (int j = 0; j < 24; j++) {
            a += b;
            b += a;
        }
        sum = sum * 3 + in[b + (uint)more];
    }
    out[get_global_id(0)] = sum;
}

__attribute__((intel_reqd_sub_group_size(16)))
KERNEL(blocks)
{
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        uint2 x = intel_sub_group_block_read2(in + start + i * step);
        sum = sum * 3 + x.x + x.y;
        intel_sub_group_block_write(out + start + i * step, sum);
    }
    out[get_global_id(0)] = sum;
}

/* Without an end where `step` is 0. */
KERNEL(endless)
{
    uint sum = 0;

    for (int i = 0; i < n; i += step) {
        sum = sum * 3 + FOUR(in + start);
        out[i & 1023] = sum;
    }
    out[get_global_id(0)] = sum;
}

KERNEL(group_endless)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1;
    uint sum = 0;

    for (int i = 0; i < n; i += step) {
        s[l] = in[start + (i & 15)] + sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = sum * 3 + s[last - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

/* ---- groups ---- */

KERNEL(group_loads)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1;

    s[l] = in[start + (int)get_group_id(0) * step + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[last - l] + n;
}

KERNEL(group_stores)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1;

    s[l] = in[l] + get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[start + (int)get_group_id(0) * step + l] = s[last - l] + n;
}

/* In two steps: what the first thread writes before another one faults stays. */
KERNEL(group_both)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1, g = get_group_id(0);

    out[g * (last + 1) + l] = g;
    s[l] = in[start + g * step + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&out[l], s[last - l]);
    out[g * (last + 1) + l] += in[start + g * (int)more + (last - l)];
}

/* One group, or one work-item of it, somewhere else. */
KERNEL(group_odd)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1, g = get_group_id(0);
    int k = g == n && (more < 0 || l == (int)more) ? start : g * step + l;

    s[l] = in[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[last - l];
}

/* `more` bytes from group to group: several buffers. */
KERNEL(group_far)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1;

    s[l] = ((global uint *)((global uchar *)in + more * (long)get_group_id(0)))[start + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[last - l] + step;
}

KERNEL(group_loops)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1, g = get_group_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++) {
        s[l] = in[start + i * step + g * (int)more + l] + sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = sum * 3 + s[last - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}

/* Loops on one side of a barrier, none over barriers. */
KERNEL(group_inner)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1, g = get_group_id(0);
    uint sum = 0;

    for (int i = 0; i < n; i++)
        sum = sum * 3 + in[start + i * step + g * (int)more + l];
    s[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++)
        sum = sum * 3 + s[(last - l + i) & last];
    out[get_global_id(0)] = sum;
}

KERNEL(group_shared)
{
    local uint s[256];
    int l = get_local_id(0), last = get_local_size(0) - 1, g = get_group_id(0);

    s[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[start + g * step + (last - l)];
}

/* A row for each work-item, of its own length, and a table that the row says the places of. */
KERNEL(rows)
{
    uint l = get_global_id(0), k = (uint)start + l * (uint)step, end = k + (uint)n + l % 3, sum = 0;

    for (; k < end; k++)
        sum = sum * 3 + in[in[k] % 2048] * in[k + 1];
    out[l] = sum;
}

KERNEL(signed_rows)
{
    int l = get_global_id(0), k = start + l * 3, end = k + n - l % 5;
    uint sum = 0;

    for (; k < end; k += 2)
        sum = sum * 3 + in[more + in[k] % 4096] + in[k + step];
    out[l] = sum;
}

/* The end is a number that the counter has to meet. */
KERNEL(unequal)
{
    uint sum = 0, end = (uint)(start + n);

    for (uint k = (uint)start; k != end; k++)
        sum = sum * 3 + in[k];
    out[get_global_id(0)] = sum;
}

KERNEL(once_at_least)
{
    uint sum = 0, k = (uint)start, end = (uint)more;

    do
        sum = sum * 3 + in[k++];
    while (k < end && k < 4000);
    out[get_global_id(0)] = sum;
}

KERNEL(thirds)
{
    uint sum = 0;

    for (int i = 0; i < n; i += 3)
        sum = sum * 3 + in[start + i] + in[start + i * 7];
    out[get_global_id(0)] = sum;
}

/* Pointers that go on, and stop at one. */
KERNEL(pointers)
{
    global uint *p = in + start, *end = p + n;
    uint sum = 0;

    for (; p < end; p += 1)
        sum = sum * 3 + *p + p[more];
    out[get_global_id(0)] = sum;
}

KERNEL(signed_pointers)
{
    uint sum = 0;

    for (long i = start; i < (long)start + n; i++)
        sum = sum * 3 + in[i] + in[i * 2 + more];
    out[get_global_id(0)] = sum;
}

/* Further down with each group. */
KERNEL(signed_more)
{
    int first = start - (int)get_group_id(0) * 2;
    uint sum = 0;

    for (int k = first; k < start + n; k++)
        sum = sum * 3 + in[more + k] + in[more + k + 1];
    out[get_global_id(0)] = sum;
}
