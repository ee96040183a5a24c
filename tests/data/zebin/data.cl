// Program-scope data of every kind: constants, pointers among them, strings, variables, zeros.
constant int table[4] = {10, 20, 30, 40};
constant int other[3] = {7, 8, 9};
constant int zeros[64] = {0};
constant int *constant pointers[3] = {table, other, table + 2};
global int counter = 5;
global int cleared[16];
global int *inside = &cleared[3];
global char *past = (global char *)&counter + 3;
constant const char *const names[2] = {"alpha", "beta"};

kernel void data(global int *a, int i)
{
    a[0] = pointers[i][0] + table[i] + other[i] + zeros[i] + names[i & 1][i] + *past;
    counter += a[1];
    inside[i]++;
    printf("%d\n", i);
}
