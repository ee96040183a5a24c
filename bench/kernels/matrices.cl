/* SPDX-License-Identifier: MIT
 *
 * Dense and sparse matrices: products, factors, solving. */
#pragma OPENCL FP_CONTRACT OFF

/* Product of two square matrices, the first one stored by columns; 4x4 results a work-item. */
kernel void gemm_blocks(global const float *a, global const float *b, global float *c, int n)
{
    int column = 4 * get_global_id(0), row = 4 * get_global_id(1);
    float4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;

    for (int k = 0; k < n; k++) {
        float4 x = vload4(0, a + k * n + row), y = vload4(0, b + k * n + column);
        s0 += x.x * y;
        s1 += x.y * y;
        s2 += x.z * y;
        s3 += x.w * y;
    }
    c += row * n + column;
    vstore4(s0, 0, c);
    vstore4(s1, 0, c + n);
    vstore4(s2, 0, c + 2 * n);
    vstore4(s3, 0, c + 3 * n);
}

#define ORDER 48

/* Cholesky factor of a 48x48 matrix a group, a row a work-item, in local memory. */
kernel void cholesky_local(global const float *in, global float *out)
{
    local float m[ORDER][ORDER + 1];
    int i = get_local_id(0);

    in += get_group_id(0) * ORDER * ORDER;
    out += get_group_id(0) * ORDER * ORDER;
    for (int j = 0; j < ORDER; j++)
        m[j][i] = 0.5f * (in[j * ORDER + i] + in[i * ORDER + j]) + (i == j ? ORDER : 0);
    for (int k = 0; k < ORDER; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == k)
            m[k][k] = sqrt(m[k][k]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i > k)
            m[i][k] /= m[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = k + 1; j <= i; j++)
            m[i][j] -= m[i][k] * m[j][k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < ORDER; j++)
        out[j * ORDER + i] = i <= j ? m[j][i] : 0;
}

/* Sparse matrix by a vector: ELLPACK, stored by columns, up to 64 numbers a row. */
kernel void spmv_ell(global const uchar *lengths, global const uint *columns,
                     global const float *values, global const float *x, global float *y,
                     uint rows)
{
    uint row = get_global_id(0), n = lengths[row];
    float sum = 0;

    for (uint k = 0; k < n; k++)
        sum += values[k * rows + row] * x[columns[k * rows + row]];
    y[row] = sum;
}

/* Sparse matrix by a vector: CSR, 32 work-items a row. */
kernel void spmv_vector(global const uint *starts, global const uint *columns,
                        global const float *values, global const float *x, global float *y)
{
    local float sums[128];
    uint l = get_local_id(0), lane = l & 31, row = get_global_id(0) / 32;
    uint end = starts[row + 1];
    float sum = 0;

    for (uint k = starts[row] + lane; k < end; k += 32)
        sum += values[k] * x[columns[k]];
    sums[l] = sum;
    for (uint step = 16; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step)
            sums[l] += sums[l + step];
    }
    if (lane == 0)
        y[row] = sums[l];
}

/* Solves lower triangular systems of 64 equations, each by a group, column after column. */
kernel void trisolve(global const float *matrices, global const float *right, global float *out)
{
    local float x[64];
    uint l = get_local_id(0);
    float mine = right[get_global_id(0)];

    matrices += get_group_id(0) * 64 * 64;
    for (uint k = 0; k < 64; k++) {
        float m = matrices[k * 64 + l];
        if (l == k)
            x[k] = mine / (2.0f + fabs(m));
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l > k)
            mine -= m * x[k] * 0.0625f;
    }
    out[get_global_id(0)] = x[l];
}

float sum_of_group(float mine, local float *sums)
{
    uint l = get_local_id(0);

    barrier(CLK_LOCAL_MEM_FENCE);
    sums[l] = mine;
    for (uint half_of = get_local_size(0) / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_of)
            sums[l] += sums[l + half_of];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sums[0];
}

/* Makes 8 vectors of 256 numbers orthonormal, a group each set: modified Gram-Schmidt. */
kernel void gram_schmidt(global const float4 *in, global float4 *out, local float *sums)
{
    float4 v[8];
    uint l = get_local_id(0), base = get_group_id(0) * 512;

    for (uint i = 0; i < 8; i++)
        v[i] = in[base + i * 64 + l];
    for (uint i = 0; i < 8; i++) {
        v[i] *= 1.0f / sqrt(sum_of_group(dot(v[i], v[i]), sums));
        for (uint k = i + 1; k < 8; k++)
            v[k] -= sum_of_group(dot(v[i], v[k]), sums) * v[i];
    }
    for (uint i = 0; i < 8; i++)
        out[base + i * 64 + l] = v[i];
}
