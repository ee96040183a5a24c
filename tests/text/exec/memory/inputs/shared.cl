/* SPDX-License-Identifier: MIT
 *
 * All channels, or those of a row of work-items, load one number, and what they do next lies
 * there. */
#define X get_global_id(0)
#define Y get_global_id(1)
#define ROW(name, index)                                                                       \
    name(global uint *out, global const index *of, global const uint *in, int pitch)           \
    {                                                                                          \
        int width = get_global_size(0);                                                        \
                                                                                               \
        out[Y * width + X] = in[of[Y] * pitch + X] + Y;                                        \
    }

kernel void ROW(row, int)
kernel void ROW(row_bytes, uchar)
kernel void ROW(row_chars, char)
kernel void ROW(row_words, ushort)
kernel void ROW(row_longs, long)
__attribute__((intel_reqd_sub_group_size(16))) kernel void ROW(row_16, int)

/* From one to the next. */
kernel void chain(global uint *out, global const uint *next, global const uint *in, uint steps)
{
    uint at = get_group_id(0);

    for (uint i = 0; i < steps; i++)
        at = next[at];
    out[X] = in[at + get_local_id(0)] + at;
}

/* Where not all channels are on, the first one not always. */
kernel void some(global uint *out, global const uint *of, global const uint *in, uint bits)
{
    uint i = X, value = 7;

    if (bits >> (get_local_id(0) & 31) & 1)
        value = in[of[get_group_id(0)] + get_local_id(0)];
    out[i] = value;
}

/* The same by rows, and with what is made of the number. */
#define SOME(name, made)                                                                       \
    name(global uint *out, global const int *of, global const uint *in, uint bits)             \
    {                                                                                          \
        uint value = 7;                                                                        \
                                                                                               \
        if (bits >> (get_local_id(0) & 31) & 1)                                                \
            value = in[made + (int)get_local_id(0)];                                           \
        out[Y * get_global_size(0) + X] = value;                                               \
    }

kernel void SOME(some_as_they_are, of[Y])
kernel void SOME(some_halves, (of[Y] >> 1))
kernel void SOME(some_floats, (int)((float)of[Y] * 2.0f))
kernel void SOME(some_thirds, of[Y] / 3)
kernel void SOME(some_apart, abs(of[Y] - 20))

/* Behind a condition that all have alike, or none. */
kernel void until(global uint *out, global const uint *of, global const uint *in, uint limit)
{
    uint i = X, value = 3;

    if (i < limit) {
        uint from = of[get_group_id(0)];
        value = in[from + get_local_id(0)] * 2;
        if (value > of[0])
            value += in[from + get_local_id(0) + 1];
    }
    out[i] = value;
}

/* Numbers of columns, as sparse rows have them. */
kernel void between(global uint *out, global const uint *starts, global const uint *columns,
                    global const uint *in, uint pitch)
{
    uint sum = 0, g = get_group_id(0);

    for (uint k = starts[g]; k < starts[g + 1]; k++)
        sum += in[columns[k] * pitch + get_local_id(0)] * (k + 1);
    out[X] = sum;
}

/* The same by way of shared local memory. */
kernel void local_between(global uint *out, global const uint *starts,
                          global const uint *columns, global const uint *in, uint pitch)
{
    local uint own[64];
    uint sum = 0, g = get_group_id(0), l = get_local_id(0), from = starts[g];

    for (uint k = l; k < starts[g + 1] - from; k += get_local_size(0))
        own[k] = columns[from + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < starts[g + 1] - from; k++)
        sum += in[own[k] * pitch + l] * (from + k + 1);
    out[X] = sum;
}

/* Each channel its own. */
kernel void permuted(global uint *out, global const uint *of, global const uint *in)
{
    out[X] = in[of[of[X]]];
}

/* Each writes where it read, and what it reads next was written by another. */
kernel void handed(global uint *out, global uint *at, uint steps)
{
    uint l = get_local_id(0), g = get_group_id(0);

    for (uint i = 0; i < steps; i++) {
        uint from = at[g];
        out[from + l] += i + l;
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 5)
            at[g] = from + 3;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
