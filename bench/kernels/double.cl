/* SPDX-License-Identifier: MIT
 *
 * Of double precision, which not all devices have. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void dgemm(global const double *a, global const double *b, global double *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    double sum = 0;

    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
