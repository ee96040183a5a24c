/* Tiles of shared local memory, written by rows and read by columns. */

#define TURN(name, pad, attribute)                                                                 \
    attribute kernel void name(global uint *out, global const uint *in, int width, int height)     \
    {                                                                                              \
        local uint tile[16][16 + pad];                                                             \
        int x = get_local_id(0), y = get_local_id(1);                                              \
                                                                                                   \
        tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        int row = get_group_id(0) * 16 + y, column = get_group_id(1) * 16 + x;                     \
        out[row * height + column] = tile[x][y];                                                   \
    }
#define SUBGROUP(n) __attribute__((intel_reqd_sub_group_size(n)))

TURN(turn, 1, )
TURN(turn_tight, 0, )
TURN(turn_16, 1, SUBGROUP(16))

/* The same rows in several orders, and some of them alone. */
kernel void mixed(global uint *out, global const uint *in, int width, int height)
{
    local uint tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);

    tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * width + get_global_id(0)] =
        tile[x][y] + 3 * tile[x ^ 1][y] + 5 * tile[15 - x][15 - y] + 7 * tile[x][3] +
        11 * tile[x / 2][y] + 13 * tile[x][x];
}

kernel void floats(global float *out, global const uint *in, int width, int height)
{
    local float tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);

    tile[y][x] = (float)in[get_global_id(1) * width + get_global_id(0)] * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * width + get_global_id(0)] = tile[x][y];
}

/* What was read by columns is written by rows, and read by columns again. */
kernel void twice(global uint *out, global const uint *in, int width, int height)
{
    local uint first[16][17], second[16][17];
    int x = get_local_id(0), y = get_local_id(1);

    first[y][x] = in[get_global_id(1) * width + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint turned = first[x][y];
    second[y][x] = turned;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * width + get_global_id(0)] = second[x][y] + 1000 * turned;
}

/* Groups of 32 by 8, four rows a work-item, which is no loop to the compiler. */
kernel void wide(global uint *out, global const uint *in, int width, int height)
{
    local uint tile[32][33];
    int x = get_local_id(0), y = get_local_id(1);
    int top = get_group_id(1) * 32, left = get_group_id(0) * 32;
    int from = (top + y) * width + left + x, to = (left + y) * height + top + x;

    tile[y][x] = in[from];
    tile[y + 8][x] = in[from + 8 * width];
    tile[y + 16][x] = in[from + 16 * width];
    tile[y + 24][x] = in[from + 24 * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[to] = tile[x][y];
    out[to + 8 * height] = tile[x][y + 8];
    out[to + 16 * height] = tile[x][y + 16];
    out[to + 24 * height] = tile[x][y + 24];
}

/* Rows that begin where the upper half of a product says. */
kernel void high(global uint *out, global const uint *in, uint by)
{
    uint y = get_global_id(1);

    out[y * get_global_size(0) + get_global_id(0)] = in[mul_hi(y * 0x09000001u, by) + get_global_id(0)];
}

kernel void high_signed(global uint *out, global const uint *in, int by)
{
    int y = get_global_id(1);

    out[y * get_global_size(0) + (int)get_global_id(0)] =
        in[mul_hi((y - 7) * 0x03000001, by) + 64 + (int)get_global_id(0)];
}

kernel void back(global uint *out, global const uint *in, int pitch)
{
    long y = get_global_id(1);

    out[y * get_global_size(0) + get_global_id(0)] = in[4096 + y * pitch + get_global_id(0)];
}
