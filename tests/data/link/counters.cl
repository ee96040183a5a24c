constant int table[5] = {10, 20, 30, 40, 50};
constant int primes[6] = {2, 3, 5, 7, 11, 13};
global int counter = 7;
global int total = 1;
global int *at_counter = &counter;
global int zeros[100];
constant char *constant words[3] = {"delta", "eps", "zeta"};

int twice_more(int n)
{
    return n + n + *at_counter;
}

kernel void counters(global int *out, int n)
{
    int i = get_global_id(0);

    out[i] = table[(i + n) % 5] * 1000 + words[i % 3][i % 3];
    zeros[i] += twice_more(i);
    atomic_inc(&counter);
}

kernel void counters_end(global int *out)
{
    out[0] = counter;
    out[1] = zeros[3];
    out[2] = total;
    out[3] = primes[zeros[5] % 6];
}
