/* Names that counters.cl has, too; and what it asks for. */
static constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
global int counter = 100;
constant char *constant words[2] = {"alpha", "beta"};
extern constant int primes[6];
extern global int total;
int twice_more(int n);

kernel void tables(global int *out, int n)
{
    int i = get_global_id(0);

    out[i] = table[(i + n) & 7] * 1000 + words[i & 1][i % 3];
    atomic_add(&counter, i);
}

kernel void calls(global int *out)
{
    int i = get_global_id(0);

    out[i] = twice_more(i);
    atomic_add(&total, 3);
}

kernel void reads(global int *out)
{
    int i = get_global_id(0);

    out[i] = primes[i % 6];
}

kernel void tables_end(global int *out)
{
    out[0] = counter;
}
