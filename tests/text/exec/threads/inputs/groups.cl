// SPDX-License-Identifier: MIT
// Groups whose threads meet at barriers, in shapes that code for whole groups must get right.

/* Barriers in a loop whose end an argument decides; with a step of 0 it has none. */
kernel void rounds(global uint *out, uint n, uint step)
{
    local uint s[64];
    uint l = get_local_id(0), sum = 0;

    s[l] = l;
    for (uint i = 0; i < n; i += step) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[(l + i) & 63];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += sum;
    }
    out[get_global_id(0)] = sum;
}

/* A loop of each thread's own between barriers. */
kernel void apart(global uint *out, uint n, uint step)
{
    local uint s[64];
    uint l = get_local_id(0), x = l + 1;

    for (uint i = 0; i < n; i += step) {
        x = x * 3 + (x >> 3);
        if (x == 12345)
            x ^= 7;
    }
    s[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l];
}

/* One work-item of the second half writes far outside. */
kernel void wild(global uint *out, uint n, uint step)
{
    local uint s[64];
    uint l = get_local_id(0);

    s[l] = l * step;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == n)
        out[1u << 29] = 3;
    out[get_global_id(0)] = s[63 - l];
}

/* Atomics tell in which order threads come. */
kernel void order(global uint *out, uint n, uint step)
{
    local uint count;
    uint l = get_local_id(0), mine = 0;

    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < n; i++)
        mine = mine * 5 + atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint seen = atomic_add(&count, l);
    for (uint i = 0; i < n; i += 4) {
        seen += atomic_xchg(&count, seen + i);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = mine ^ seen;
}

/* Groups of one, two and three dimensions; barriers on one way of a branch; loops that diverge. */
kernel void shapes(global uint *out, uint n, uint step)
{
    local uint s[128];
    uint l = get_local_linear_id(), sum = 0;

    s[l & 127] = get_local_id(0) + 16 * get_local_id(1) + 256 * get_local_id(2);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (n > 3) {
        for (uint i = 0; i < n; i++) {
            if (((l + i) & 3) == 0) {
                sum += s[(l * 7 + i) & 127];
            } else if (sum & 1) {
                sum ^= s[i & 127];
                continue;
            }
            sum += i;
        }
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l & 127] ^= 5;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum = s[(l + 1) & 127];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= step)
        s[(l - step) & 127] += sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) +
                 get_group_id(0);
    out[group * items + l] = s[l & 127] + sum;
}

/* Running sums of a group's numbers n, n + step, n + 2 * step ... */
kernel void sums(global uint *out, uint n, uint step)
{
    local uint s[256];
    uint l = get_local_id(0), size = get_local_size(0);

    s[l] = n + step * get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint far = 1; far < size; far *= 2) {
        uint before = l >= far ? s[l - far] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[l];
}

/* A thread waits for what the next one writes before it comes to the barrier. */
kernel void poll(volatile global uint *out, uint n, uint step)
{
    local uint s[64];
    uint l = get_local_id(0);

    if (l == 0)
        while (out[100] != n)
            ;
    if (l == step)
        out[100] = n;
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[63 - l] + out[100];
}

/* Numbers that wrap around, with a large step from channel to channel, or do not, by one of two
 * ways; that there are two buffers leaves the scatter to the handler. */
kernel void wrapped(global uint *out, uint n, uint step, global uint *other)
{
    uint l = get_local_id(0);
    ushort x = (ushort)l;
    int z;

    if (n) {
        z = (short)(ushort)(x << 13);
        out[2000] = 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    } else {
        z = (int)((uint)x << 13);
        out[2001] = 2;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    global uint *to = (l & 1) ? other : out;
    to[l] = (uint)z;
}

/* What the work-items `n` below and above have, from the first `step` and up to the last of them on:
 * the places of others, which are off, lie before and behind the shared local memory. */
kernel void near(global uint *out, uint n, uint step)
{
    local uint s[64];
    uint l = get_local_id(0), sum = 0;

    s[l] = (uint)get_global_id(0) * 5 + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= step)
        sum += s[l - n];
    if (l + step < get_local_size(0))
        sum -= 3 * s[l + n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= step)
        s[l - n] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum * 7 + s[l];
}

/* Places in rows of `n`, products of 64 bits; a work-item writes what its neighbour along y has. */
kernel void plane(global uint *out, uint n, uint step)
{
    local uint s[256];
    size_t x = get_global_id(0), y = get_global_id(1);
    size_t l = get_local_id(1) * get_local_size(0) + get_local_id(0);
    size_t other = (get_local_id(1) ^ 1) * get_local_size(0) + get_local_id(0);

    s[l] = (uint)(x * 3 + y * step);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * n + x] = s[other];
}

/* Fewer and fewer work-items are on, half as many each time, or a third; elements of all sizes. */
kernel void halves(global uint *out, uint n, uint step)
{
    local uint s[64];
    local ulong w[64];
    local ushort h[64];
    local uchar b[64];
    uint l = get_local_id(0);

    s[l] = (uint)get_global_id(0) * step + n;
    w[l] = (ulong)s[l] << 31;
    h[l] = (ushort)s[l];
    b[l] = (uchar)s[l];
    for (uint on = 32; on > 0; on /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < on) {
            s[l] += s[l + on];
            w[l] += w[l + on];
            h[l] += h[l + on];
            b[l] += b[l + on];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = s[0] + (uint)(w[0] >> 31) + h[0] + b[0];
    for (uint on = 48; on > 0; on /= 3) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint next = l < on ? s[l + 1] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < on) {
            s[l] += 3;
            b[l] ^= next;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = all + 7 * s[l] + b[l];
}

/* Lanes of several stores, of parts of stores, wider and narrower ones, and of none: all are
 * known where groups are run as a whole. */
kernel void held(global uint *out, uint n, uint step, local uint *s)
{
    uint l = get_local_id(0), x = n + step * get_global_id(0), sum = s[l] + 3 * s[l + 60];
    local ulong *w = (local ulong *)s;

    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = x;
    if (l < 40)
        s[l + 64] = x ^ 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = sum * 7 + s[l + 1];
    if (l >= 3)
        sum += s[l - 3] * 11;
    sum ^= s[l + 17];
    ulong wide = w[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    w[l + 64] = wide * 3 + l;
    if (l >= 24 && l < 56)
        s[l] ^= 0x1010;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = sum * 5 + s[l + 100] + s[l + 160] * 3 + s[l + 192];
    if (l < 50)
        sum -= s[l + 8];
    wide = w[l + 31] + w[l + 90];
    if (l < 32) {
        float f = as_float(s[l + 32] & 0x3fffffff) + as_float(s[l + 41] & 0x3fffffff);
        s[l] = as_uint(f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum + (uint)wide + (uint)(wide >> 32) + s[l];
}

/* The last groups touch nothing, behind the buffer's end. */
kernel void edge(global uint *out, uint n, uint step)
{
    local uint s[64];
    uint l = get_local_id(0), i = get_global_id(0), g = get_group_id(0);

    s[l] = g < n ? out[i] : i;
    for (uint k = 0; k < step; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint v = s[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += v * 3 + k;
    }
    if (g < n)
        out[i] = s[l] + s[l ^ 5];
}

/* A group's elements by way of shared local memory: the compiler makes a loop of few
 * instructions of the copy, and two barriers. */
kernel void copied(global uint *out, uint n, uint step)
{
    local uint s[96];
    uint i = get_global_id(0), l = get_local_id(0), size = get_local_size(0);

    out[i] = n + step * i;
    barrier(CLK_GLOBAL_MEM_FENCE);
    event_t read = async_work_group_copy(s, out + get_group_id(0) * size, size, 0);
    wait_group_events(1, &read);
    out[i] = 3 * s[size - 1 - l];
}
