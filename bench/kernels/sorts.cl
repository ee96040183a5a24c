/* SPDX-License-Identifier: MIT
 *
 * Sorting, merging, selecting. */
#pragma OPENCL FP_CONTRACT OFF

/* Rows of 32 numbers, each sorted by insertion. */
kernel void insertion_rows(global const uint *in, global uint *out)
{
    size_t base = get_global_id(0) * 32;
    uint row[32];

    for (int k = 0; k < 32; k++) {
        uint value = in[base + k];
        int at = k;
        while (at > 0 && row[at - 1] > value) {
            row[at] = row[at - 1];
            at--;
        }
        row[at] = value;
    }
    for (int k = 0; k < 32; k++)
        out[base + k] = row[k];
}

/* Each group sorts 256 numbers and where they were, in local memory. */
kernel void bitonic_local(global const uint *in, global uint *out, global ushort *places)
{
    local uint keys[256];
    local ushort values[256];
    uint l = get_local_id(0), size = get_local_size(0);
    uint base = get_group_id(0) * 256;

    for (uint i = l; i < 256; i += size) {
        keys[i] = in[base + i];
        values[i] = (ushort)i;
    }
    for (uint block = 2; block <= 256; block *= 2) {
        for (uint distance = block / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * l - (l & (distance - 1)), high = low + distance;
            uint a = keys[low], b = keys[high];
            ushort i = values[low], j = values[high];
            bool above = a > b || (a == b && i > j);
            if (above == ((low & block) == 0)) {
                keys[low] = b;
                keys[high] = a;
                values[low] = j;
                values[high] = i;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 256; i += size) {
        out[base + i] = keys[i];
        places[base + i] = values[i];
    }
}

/* Each group of 64 sorts 1024 numbers by four of their bits; those alike stay in order. */
kernel void radix_pass(global const uint *in, global uint *out, uint shift)
{
    local uint starts[16 * 64];
    local uint sums[64];
    uint counts[16];
    uint l = get_local_id(0);
    global const uint *mine = in + get_group_id(0) * 1024 + l * 16;
    global uint *to = out + get_group_id(0) * 1024;

    for (uint digit = 0; digit < 16; digit++)
        counts[digit] = 0;
    for (uint k = 0; k < 16; k++)
        counts[mine[k] >> shift & 15]++;
    for (uint digit = 0; digit < 16; digit++)
        starts[digit * 64 + l] = counts[digit];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint sum = 0;
    for (uint k = 0; k < 16; k++)
        sum += starts[l * 16 + k];
    sums[l] = sum;
    for (uint step = 1; step < 64; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before = l >= step ? sums[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += before;
    }
    uint at = sums[l] - sum;
    for (uint k = 0; k < 16; k++) {
        uint count = starts[l * 16 + k];
        starts[l * 16 + k] = at;
        at += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; k++)
        to[starts[(mine[k] >> shift & 15) * 64 + l]++] = mine[k];
}

/* Two sorted arrays into one: each work-item finds where its eight results begin. */
kernel void merge_path(global const uint *a, global const uint *b, global uint *out, uint a_count,
                       uint b_count)
{
    uint diagonal = get_global_id(0) * 8;
    uint low = diagonal > b_count ? diagonal - b_count : 0;
    uint high = min(diagonal, a_count);

    while (low < high) {
        uint middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    uint i = low, j = diagonal - low;
    for (uint k = 0; k < 8 && diagonal + k < a_count + b_count; k++) {
        if (j == b_count || (i < a_count && a[i] <= b[j]))
            out[diagonal + k] = a[i++];
        else
            out[diagonal + k] = b[j++];
    }
}

/* Each group sorts its numbers by how many come before each. */
kernel void rank_sort(global const float *in, global float *out, local float *numbers)
{
    uint l = get_local_id(0), size = get_local_size(0);
    float mine = in[get_global_id(0)];
    uint rank = 0;

    numbers[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < size; k++) {
        float other = numbers[k];
        rank += other < mine || (other == mine && k < l);
    }
    out[get_group_id(0) * size + rank] = mine;
}

/* Each group sorts twice as many numbers as it has work-items, neighbours in turns. */
kernel void odd_even(global const short *in, global short *out, local short *numbers)
{
    uint l = get_local_id(0), size = get_local_size(0);
    uint base = get_group_id(0) * size * 2;

    numbers[l] = in[base + l];
    numbers[l + size] = in[base + l + size];
    for (uint turn = 0; turn < size * 2; turn++) {
        uint at = l * 2 + turn % 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at + 1 < size * 2) {
            short a = numbers[at], b = numbers[at + 1];
            if (a > b) {
                numbers[at] = b;
                numbers[at + 1] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = numbers[l];
    out[base + l + size] = numbers[l + size];
}

/* Median of 5 x 5 bytes, by quick select. */
kernel void median_window(global const uchar *in, global uchar *out, int width)
{
    int x = get_global_id(0), y = get_global_id(1);
    uchar window[25];
    int low = 0, high = 24;

    for (int k = 0; k < 25; k++)
        window[k] = in[(y + k / 5) * (width + 4) + x + k % 5];
    while (low < high) {
        uchar pivot = window[12];
        int i = low, j = high;
        while (i <= j) {
            while (window[i] < pivot)
                i++;
            while (window[j] > pivot)
                j--;
            if (i <= j) {
                uchar other = window[i];
                window[i++] = window[j];
                window[j--] = other;
            }
        }
        if (j < 12)
            low = i;
        if (i > 12)
            high = j;
    }
    out[y * width + x] = window[12];
}

/* The eight greatest of each column, in a heap whose root is the least of them. */
kernel void top_eight(global const float *in, global float *out, uint rows)
{
    size_t column = get_global_id(0), columns = get_global_size(0);
    float heap[8];

    for (int k = 0; k < 8; k++)
        heap[k] = -1e30f;
    for (uint row = 0; row < rows; row++) {
        float value = in[row * columns + column];
        if (value <= heap[0])
            continue;
        int at = 0;
        for (;;) {
            int child = 2 * at + 1;
            if (child >= 8)
                break;
            if (child + 1 < 8 && heap[child + 1] < heap[child])
                child++;
            if (heap[child] >= value)
                break;
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = value;
    }
    for (int k = 0; k < 8; k++)
        out[k * columns + column] = heap[k];
}
