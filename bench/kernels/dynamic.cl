/* SPDX-License-Identifier: MIT
 *
 * Dynamic programming, and other tables that grow step by step. */
#pragma OPENCL FP_CONTRACT OFF

/* Each group fills a knapsack of its own: the best value for each of 512 capacities. */
kernel void knapsack(global const ushort *weights, global const ushort *values,
                     global ushort *out, uint objects)
{
    local ushort best[2][512];
    uint l = get_local_id(0), size = get_local_size(0), group = get_group_id(0);

    for (uint c = l; c < 512; c += size)
        best[0][c] = 0;
    for (uint k = 0; k < objects; k++) {
        local const ushort *old = best[k % 2];
        local ushort *new = best[(k + 1) % 2];
        uint weight = weights[group * objects + k], value = values[group * objects + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint c = l; c < 512; c += size) {
            ushort most = old[c];
            if (c >= weight)
                most = max(most, (ushort)(old[c - weight] + value));
            new[c] = most;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = l; c < 512; c += size)
        out[group * 512 + c] = best[objects % 2][c];
}

/* Each group aligns a query of its size and a sequence of its own, a diagonal at a time. */
kernel void smith_waterman(global const uchar *query, global const uchar *sequences,
                           global int *scores, uint length)
{
    local int line[2][129];
    local int best;
    uint l = get_local_id(0), size = get_local_size(0);
    global const uchar *sequence = sequences + get_group_id(0) * length;
    uchar mine = query[l];
    int left = 0, corner = 0, most = 0;

    line[0][l] = 0;
    line[1][l] = 0;
    if (l == 0)
        best = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 0; step < length + size - 1; step++) {
        if (step >= l && step - l < length) {
            int above = line[(step + 1) % 2][l];
            int score = corner + (sequence[step - l] == mine ? 5 : -3);
            score = max(max(score, 0), max(above, left) - 4);
            line[step % 2][l + 1] = score;
            most = max(most, score);
            corner = above;
            left = score;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    atomic_max(&best, most);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        scores[get_group_id(0)] = best;
}

/* The likeliest states, of six, behind 24 symbols, after Viterbi; costs are logarithms. */
kernel void viterbi(global const uchar *symbols, global const short *transitions,
                    global const short *emissions, global uchar *paths, global int *costs)
{
    size_t i = get_global_id(0), count = get_global_size(0);
    uchar from[24][6];
    int cost[6], next[6];

    for (int s = 0; s < 6; s++)
        cost[s] = emissions[s * 16 + symbols[i]];
    for (int t = 1; t < 24; t++) {
        uchar symbol = symbols[t * count + i];
        for (int s = 0; s < 6; s++) {
            int least = cost[0] + transitions[s];
            uchar best = 0;
            for (int k = 1; k < 6; k++) {
                int other = cost[k] + transitions[k * 6 + s];
                if (other < least) {
                    least = other;
                    best = (uchar)k;
                }
            }
            next[s] = least + emissions[s * 16 + symbol];
            from[t][s] = best;
        }
        for (int s = 0; s < 6; s++)
            cost[s] = next[s];
    }
    uint last = 0;
    for (uint s = 1; s < 6; s++)
        if (cost[s] < cost[last])
            last = s;
    costs[i] = cost[last];
    for (int t = 23; t > 0; t--) {
        paths[t * count + i] = (uchar)last;
        last = from[t][last];
    }
    paths[i] = (uchar)last;
}

/* Least multiplications for a product of ten matrices. */
kernel void matrix_chain(global const uchar *sizes, global uint *out)
{
    size_t i = get_global_id(0);
    uint size[11];
    uint cost[10][10];

    for (int k = 0; k < 11; k++)
        size[k] = sizes[i * 11 + k];
    for (int k = 0; k < 10; k++)
        cost[k][k] = 0;
    for (int length = 1; length < 10; length++) {
        for (int first = 0; first + length < 10; first++) {
            int last = first + length;
            uint least = UINT_MAX;
            for (int cut = first; cut < last; cut++) {
                uint both = cost[first][cut] + cost[cut + 1][last] +
                            size[first] * size[cut + 1] * size[last + 1];
                least = min(least, both);
            }
            cost[first][last] = least;
        }
    }
    out[i] = cost[0][9];
}

/* A generation of the game of life; a group reads its 16 x 16 cells and those around them. */
kernel void game_of_life(global const uchar *in, global uchar *out, int width)
{
    local uchar tile[18][18];
    int x = get_local_id(0), y = get_local_id(1);
    int left = get_group_id(0) * 16, top = get_group_id(1) * 16;

    for (int k = y * 16 + x; k < 18 * 18; k += 256)
        tile[k / 18][k % 18] = in[(top + k / 18) * (width + 2) + left + k % 18] & 1;
    barrier(CLK_LOCAL_MEM_FENCE);

    int around = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            if (dx != 1 || dy != 1)
                around += tile[y + dy][x + dx];
    out[(top + y) * width + left + x] = around == 3 || (around == 2 && tile[y + 1][x + 1]);
}

/* All shortest paths: a tile of 16 x 16 by way of the 16 nodes from `by` on. */
kernel void floyd_tile(global const int *in, global int *out, uint nodes, uint by)
{
    local int rows[16][16], columns[16][16];
    uint x = get_local_id(0), y = get_local_id(1);
    uint to = get_global_id(0), from = get_global_id(1);
    int least = in[from * nodes + to];

    rows[y][x] = in[(by + y) * nodes + to];
    columns[y][x] = in[from * nodes + by + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; k++)
        least = min(least, columns[y][k] + rows[k][x]);
    out[from * nodes + to] = least;
}

/* Length of the longest increasing subsequence of 48 numbers: the least end of each length. */
kernel void increasing(global const short *in, global uchar *out)
{
    size_t i = get_global_id(0), count = get_global_size(0);
    short ends[48];
    uint length = 0;

    for (uint k = 0; k < 48; k++) {
        short value = in[k * count + i];
        uint low = 0, high = length;
        while (low < high) {
            uint middle = (low + high) / 2;
            if (ends[middle] < value)
                low = middle + 1;
            else
                high = middle;
        }
        ends[low] = value;
        if (low == length)
            length++;
    }
    out[i] = (uchar)length;
}
