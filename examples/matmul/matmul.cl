/* SPDX-License-Identifier: MIT
 *
 * Matrix product C = A * B by tiles: a work-group computes one 16 x 16 tile of C. For each
 * pair of tiles of A and B on its way, every work-item brings one element of each into shared
 * local memory; a barrier lets all of them arrive before they are used, a second one keeps
 * them until everybody has used them.
 *
 * A is rows x inner, B inner x columns, C rows x columns, row by row; all three sizes are
 * multiples of 16. Dimension 0 of the launch is the column, 1 the row.
 *
 * Each element is one chain of fused multiply-adds over the inner index from 0 up.
 */
#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void matmul(global const float *a, global const float *b, global float *c, uint inner)
{
    local float tile_a[TILE][TILE];
    local float tile_b[TILE][TILE];
    uint tx = get_local_id(0), ty = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    uint columns = get_global_size(0);
    float sum = 0.0f;

    for (uint start = 0; start < inner; start += TILE) {
        tile_a[ty][tx] = a[row * inner + start + tx];
        tile_b[ty][tx] = b[(start + ty) * columns + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum = fma(tile_a[ty][k], tile_b[k][tx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * columns + column] = sum;
}
