/* SPDX-License-Identifier: MIT
 *
 * Linear algebra. */
#pragma OPENCL FP_CONTRACT OFF

kernel void saxpy(global const float *x, global float *y, float a)
{
    size_t i = get_global_id(0);

    y[i] = a * x[i] + y[i];
}

/* c = a * b; n columns each */
kernel void sgemm_naive(global const float *a, global const float *b, global float *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

#define TILE 16

kernel void sgemm_tiled(global const float *a, global const float *b, global float *c, int n)
{
    local float part_of_a[TILE][TILE], part_of_b[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (int tile = 0; tile < n; tile += TILE) {
        part_of_a[y][x] = a[row * n + tile + x];
        part_of_b[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += part_of_a[y][k] * part_of_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

/* Rows of bytes with a vector of bytes. */
kernel void dot_int8(global const char4 *rows, global const char4 *vector, global int *out,
                     int quads)
{
    size_t row = get_global_id(0);
    int sum = 0;

    for (int k = 0; k < quads; k++) {
        int4 products = convert_int4(rows[row * quads + k]) * convert_int4(vector[k]);
        sum += products.x + products.y + products.z + products.w;
    }
    out[row] = sum;
}

/* A sparse matrix in compressed rows with a vector of 4096. */
kernel void spmv(global const uint *starts, global const uint *columns,
                 global const float *values, global const float *x, global float *y)
{
    size_t row = get_global_id(0);
    float sum = 0;

    for (uint k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}

kernel void transpose(global const float *in, global float *out, int width, int height)
{
    local float tile[TILE][TILE + 1];
    int x = get_local_id(0), y = get_local_id(1);

    tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int column = get_group_id(1) * TILE + x;
    int row = get_group_id(0) * TILE + y;
    out[row * height + column] = tile[x][y];
}
