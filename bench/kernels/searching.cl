/* SPDX-License-Identifier: MIT
 *
 * Looking things up, trying all ways. */
#pragma OPENCL FP_CONTRACT OFF

static uint scramble(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Looks up pairs of a key and a place, slot after slot; tags of empty slots are 0. */
kernel void hash_probe(global const uchar *tags, global const uint *keys,
                       global const uint *values, global const uint *wanted, global int *out,
                       uint mask)
{
    size_t i = get_global_id(0);
    uint key = wanted[i], hash = scramble(key * 31 + (uint)i / 4);
    uint slot = hash & mask, tag = (hash >> 28) % 7 + 1;
    int result = -1;

    for (uint probes = 0; probes < 64; probes++) {
        uint there = tags[slot];
        if (there == 0)
            break;
        if (there == tag && keys[slot] == key) {
            result = (int)values[slot];
            break;
        }
        slot = (slot + 1) & mask;
    }
    out[i] = result;
}

/* Down a tree of nodes with 16 children, whose bounds are every so many of the sorted keys. */
kernel void btree_descent(global const uint *keys, global const uint *wanted, global uint *out,
                          uint count)
{
    size_t i = get_global_id(0);
    uint key = wanted[i], base = 0;

    for (uint span = count / 16; span > 0; span /= 16) {
        uint child = 0;
        while (child < 15 && keys[base + (child + 1) * span] <= key)
            child++;
        base += child * span;
    }
    out[i] = keys[base] == key ? base : ~base;
}

typedef struct cell {
    float x, y, size;
    uint index, level;
} cell;

static float gap_to(float at, float low, float size)
{
    return at < low ? low - at : at > low + size ? at - low - size : 0.0f;
}

/* The point of a quad tree next to each of some: a leaf has one point, placed within its cell. */
kernel void quad_nearest(global const float2 *offsets, global const float2 *wanted,
                         global uint *out, uint levels)
{
    size_t i = get_global_id(0);
    float2 at = wanted[i];
    cell stack[32];
    uint depth = 1, nearest = 0;
    float least = 4.0f;

    stack[0] = (cell){0.0f, 0.0f, 1.0f, 0, 0};
    while (depth > 0) {
        cell c = stack[--depth];
        float dx = gap_to(at.x, c.x, c.size), dy = gap_to(at.y, c.y, c.size);
        if (dx * dx + dy * dy >= least)
            continue;
        if (c.level == levels) {
            float2 offset = offsets[c.index];
            dx = c.x + offset.x * c.size - at.x;
            dy = c.y + offset.y * c.size - at.y;
            float distance = dx * dx + dy * dy;
            if (distance < least) {
                least = distance;
                nearest = c.index;
            }
            continue;
        }
        float half_size = c.size * 0.5f;
        uint first = (at.x >= c.x + half_size) + 2 * (at.y >= c.y + half_size);
        for (uint k = 4; k-- > 0;) {
            uint child = k ^ first;
            stack[depth++] = (cell){c.x + (child & 1 ? half_size : 0.0f),
                                    c.y + (child & 2 ? half_size : 0.0f), half_size,
                                    c.index * 4 + child, c.level + 1};
        }
    }
    out[i] = nearest;
}

/* Ways to place queens, for each place of the first three. */
kernel void queens(global uint *counts, uint n)
{
    uint full = (1u << n) - 1, rest = get_global_id(0), count = 0;
    uint free_at[16], columns_at[16], left_at[16], right_at[16];
    uint columns = 0, left = 0, right = 0;

    for (int k = 0; k < 3; k++) {
        uint bit = 1u << rest % n;
        rest /= n;
        if ((columns | left | right) & bit) {
            counts[get_global_id(0)] = 0;
            return;
        }
        columns |= bit;
        left = (left | bit) << 1;
        right = (right | bit) >> 1;
    }
    int depth = 0;
    free_at[0] = full & ~(columns | left | right);
    columns_at[0] = columns;
    left_at[0] = left;
    right_at[0] = right;
    while (depth >= 0) {
        uint bit = free_at[depth] & -free_at[depth];
        if (bit == 0) {
            depth--;
            continue;
        }
        free_at[depth] ^= bit;
        columns = columns_at[depth] | bit;
        left = (left_at[depth] | bit) << 1;
        right = (right_at[depth] | bit) >> 1;
        if (columns == full) {
            count++;
            continue;
        }
        depth++;
        free_at[depth] = full & ~(columns | left | right);
        columns_at[depth] = columns;
        left_at[depth] = left;
        right_at[depth] = right;
    }
    counts[get_global_id(0)] = count;
}

/* Solutions, up to 8, of sudokus of 6 x 6 with boxes of 2 x 3, about half of the cells known. */
kernel void small_sudoku(global const uint2 *known, global uint2 *out, uint most)
{
    size_t i = get_global_id(0);
    ulong given = (ulong)known[i].x << 32 | known[i].y;
    uchar rows[6], columns[6], boxes[6];
    uchar cells[36], left[36], digits[36];
    int empty = 0, depth = 0;
    uint steps = 0, solutions = 0;

    for (int k = 0; k < 6; k++)
        rows[k] = columns[k] = boxes[k] = 0;
    for (int k = 0; k < 36; k++) {
        int y = k / 6, x = k % 6;
        uchar bit = (uchar)(1 << (3 * (y % 2) + y / 2 + x + (int)(i % 6)) % 6);
        if (given >> k & 1) {
            rows[y] |= bit;
            columns[x] |= bit;
            boxes[y / 2 * 2 + x / 3] |= bit;
        } else {
            cells[empty++] = (uchar)k;
        }
    }
    if (empty == 0) {
        out[i] = (uint2)(1, 0);
        return;
    }
    left[0] = 63 & ~(rows[cells[0] / 6] | columns[cells[0] % 6] |
                     boxes[cells[0] / 12 * 2 + cells[0] % 6 / 3]);
    digits[0] = 0;
    while (depth >= 0 && steps < most && solutions < 8) {
        int y = cells[depth] / 6, x = cells[depth] % 6, box = y / 2 * 2 + x / 3;
        uchar old = digits[depth], digit = left[depth] & -left[depth];
        rows[y] ^= old ^ digit;
        columns[x] ^= old ^ digit;
        boxes[box] ^= old ^ digit;
        digits[depth] = digit;
        left[depth] ^= digit;
        steps++;
        if (digit == 0) {
            depth--;
        } else if (depth + 1 == empty) {
            solutions++;
        } else {
            depth++;
            y = cells[depth] / 6;
            x = cells[depth] % 6;
            left[depth] = 63 & ~(rows[y] | columns[x] | boxes[y / 2 * 2 + x / 3]);
            digits[depth] = 0;
        }
    }
    out[i] = (uint2)(solutions, steps);
}

/* Where keys are among sorted ones, from how large they are between the ends. */
kernel void interpolate(global const uint *keys, global const uint *wanted, global int *out,
                        uint count)
{
    size_t i = get_global_id(0);
    uint key = wanted[i], low = 0, high = count - 1;
    int result = -1;

    while (low <= high && keys[low] <= key && key <= keys[high]) {
        uint a = keys[low], b = keys[high];
        uint at = a == b ? low : low + (uint)((ulong)(key - a) * (high - low) / (b - a));
        uint there = keys[at];
        if (there == key) {
            result = (int)at;
            break;
        }
        if (there < key)
            low = at + 1;
        else if (at == 0)
            break;
        else
            high = at - 1;
    }
    out[i] = result;
}

/* Looks keys up in either bucket of four of a cuckoo hash table, then among a few left over. */
kernel void cuckoo_lookup(global const uint4 *buckets, global const uint *spare,
                          global const ushort *wanted, global int *out, uint mask)
{
    size_t i = get_global_id(0);
    uint key = wanted[i], hash = scramble(key + (uint)i * 0x9e37u);
    int result = -1;

    for (int k = 0; k < 2 && result < 0; k++) {
        uint bucket = hash & mask;
        uint4 there = buckets[bucket];
        if (there.x == key)
            result = (int)bucket * 4;
        else if (there.y == key)
            result = (int)bucket * 4 + 1;
        else if (there.z == key)
            result = (int)bucket * 4 + 2;
        else if (there.w == key)
            result = (int)bucket * 4 + 3;
        hash = scramble(hash ^ key);
    }
    for (int k = 0; k < 8 && result < 0; k++)
        if (spare[k] == key)
            result = -2 - k;
    out[i] = result;
}

/* Puts keys into a Bloom filter. */
kernel void bloom_add(global const uint *keys, global uint *filter, uint mask, uint hashes)
{
    uint hash = scramble(keys[get_global_id(0)]);
    uint step = hash >> 17 | 1;

    for (uint k = 0; k < hashes; k++) {
        atomic_or(&filter[(hash & mask) / 32], 1u << (hash % 32));
        hash += step * (k + 1);
    }
}

/* Which keys a Bloom filter may have, a bit for each, put together by the work-groups. */
kernel void bloom_test(global const uint *keys, global const uint *filter, global uint *maybe,
                       uint mask, uint hashes)
{
    local uint found[8];
    uint l = get_local_id(0);
    uint hash = scramble(keys[get_global_id(0)]);
    uint step = hash >> 17 | 1, k = 0;

    if (l < 8)
        found[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (k < hashes && (filter[(hash & mask) / 32] >> (hash % 32) & 1)) {
        k++;
        hash += step * k;
    }
    if (k == hashes)
        atomic_or(&found[l / 32], 1u << (l % 32));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < get_local_size(0) / 32)
        maybe[get_group_id(0) * (get_local_size(0) / 32) + l] = found[l];
}
