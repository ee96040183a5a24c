/* SPDX-License-Identifier: MIT
 *
 * Each work-item goes along a row of its own. */
#define ITEM get_global_id(0)

/* Rounds have nothing to do with each other, but that they are added up, or each with the one
 * before. */
#ifdef CHAINED
#define ADD(sum, x) (sum = 5 * sum + (x))
#define MAKE(made, x) (made = 5 * made + (x))
#else
#define ADD(sum, x) (sum += (x))
#define MAKE(made, x) (x)
#endif

#define ALONG_ROW(name, element, whole, index)                                                 \
    name(global uint *out, global const element *in, index pitch, index length)                \
    {                                                                                          \
        whole sum = 0;                                                                         \
        index i = ITEM;                                                                        \
                                                                                               \
        for (index k = 0; k < length; k++)                                                     \
            ADD(sum, (k + 1) * in[i * pitch + k]);                                             \
        out[i] = sum;                                                                          \
    }

kernel void ALONG_ROW(row, uint, uint, int)
kernel void ALONG_ROW(row_far, uint, uint, ulong)
kernel void ALONG_ROW(row_longs, ulong, ulong, int)
__attribute__((intel_reqd_sub_group_size(16))) kernel void ALONG_ROW(row_16, uint, uint, int)

/* Beside it counts rounds, and a number that has nothing to do with them. */
kernel void row_counted(global uint *out, global const uint *in, int pitch, int length, long begun)
{
    uint sum = 0;
    int i = ITEM;

    for (int k = 0; k < length; k++, begun++)
        ADD(sum, (k + 1) * in[i * pitch + k]);
    out[i] = sum + begun;
}

/* From one number to another, which 32 bits may not hold. */
#define FROM_TO(name, number)                                                                  \
    name(global uint *out, global const uint *in, int pitch, number first, number last)        \
    {                                                                                          \
        uint sum = 0;                                                                          \
        global const uint *from = in + (long)(int)ITEM * pitch - first;                        \
                                                                                               \
        for (number k = first; k < last; k++)                                                  \
            ADD(sum, (k + 1) * from[k]);                                                       \
        out[ITEM] = sum;                                                                       \
    }

kernel void FROM_TO(between, long)
kernel void FROM_TO(between_far, ulong)

/* Behind `n` work-items there are no rows. */
kernel void row_some(global uint *out, global const uint *in, int pitch, int length, int n)
{
    uint sum = 0;
    int i = ITEM;

    if (i >= n)
        return;
    for (int k = 0; k < length; k++)
        ADD(sum, (k + 1) * in[i * pitch + k]);
    out[i] = sum;
}

/* The odd ones alone, in each thread. */
kernel void row_odd(global uint *out, global const uint *in, int pitch, int length)
{
    uint sum = 0;
    int i = ITEM;

    if (i & 1)
        for (int k = 0; k < length; k++)
            ADD(sum, (k + 1) * in[i / 2 * pitch + k]);
    out[i] = sum;
}

kernel void two(global uint *out, global const uint *a, global const uint *b, int pitch, int length)
{
    uint sum = 0;
    int i = ITEM;

    for (int k = 0; k < length; k++)
        ADD(sum, a[i * pitch + k] * b[i * length + k]);
    out[i] = sum;
}

kernel void any_row(global uint *out, global const uint *in, global const int *starts, int length)
{
    uint sum = 0;
    int start = starts[ITEM];

    for (int k = 0; k < length; k++)
        ADD(sum, (k + 1) * in[start + k]);
    out[ITEM] = sum;
}

kernel void rows(global uint *out, global const uint *in, int pitch, int length, int count)
{
    uint sum = 0;
    int i = ITEM;

    for (int r = 0; r < count; r++)
        for (int k = 0; k < length; k++)
            ADD(sum, (r + k + 1) * in[(i * count + r) * pitch + k]);
    out[i] = sum;
}

/* Not before the last element that is above the limit. */
kernel void until(global uint *out, global const uint *in, int pitch, int length, uint limit)
{
    uint sum = 0;
    int i = ITEM;

    for (int k = 0; k < length; k++) {
        uint x = in[i * pitch + k];
        if (x > limit)
            break;
        ADD(sum, x);
    }
    out[i] = sum;
}

/* Elements that some rounds read and others do not. */
kernel void skipping(global uint *out, global const uint *in, int pitch, int length, uint mask)
{
    uint sum = 0;
    int i = ITEM;

    for (int k = 0; k < length; k++)
        if (mask >> (k & 31) & 1)
            ADD(sum, (k + 1) * in[i * pitch + k]);
    out[i] = sum;
}

/* Sums over rows of narrow elements. */
kernel void ALONG_ROW(row_bytes, uchar, uint, int)
kernel void ALONG_ROW(row_words, ushort, uint, int)
__attribute__((intel_reqd_sub_group_size(16))) kernel void ALONG_ROW(row_bytes_16, uchar, uint, int)

/* Rows that are written. */
#define PUT(name, element)                                                                     \
    name(global uint *out, int pitch, int length)                                              \
    {                                                                                          \
        global element *to = (global element *)out;                                            \
        uint made = 0;                                                                         \
        int i = ITEM;                                                                          \
                                                                                               \
        for (int k = 0; k < length; k++)                                                       \
            to[i * pitch + k] = (element)MAKE(made, (i + 1) * (k + 3));                        \
    }

kernel void PUT(put, uint)
kernel void PUT(put_bytes, uchar)
kernel void PUT(put_words, ushort)
kernel void PUT(put_longs, ulong)

/* What is read and what is written may be the same, or meet in any way. Memory is known when a
 * loop begins again. */
#define TIMES 3

kernel void shifted(global uint *data, int pitch, int length, int to, int from)
{
    int i = ITEM;

    __attribute__((opencl_unroll_hint(1))) for (int times = 0; times < TIMES; times++) {
        uint made = 0;
        for (int k = 0; k < length; k++)
            data[to + i * pitch + k] = MAKE(made, 3 * data[from + i * pitch + k] + k + i);
    }
}

/* Two rows a work-item, and one that is read. */
kernel void two_puts(global uint *out, global const uint *in, int pitch, int length, int apart)
{
    int i = ITEM;

    __attribute__((opencl_unroll_hint(1))) for (int times = 0; times < TIMES; times++) {
        uint made = 0;
        for (int k = 0; k < length; k++) {
            uint x = MAKE(made, in[i * pitch + k]);
            out[i * pitch + k] = x + 1;
            out[apart + i * pitch + k] = x * x;
        }
    }
}

/* Not before the last element that is above the limit; that one is stored. */
kernel void put_until(global uint *out, global const uint *in, int pitch, int length, uint limit)
{
    int i = ITEM;

    for (int k = 0; k < length; k++) {
        uint x = in[i * pitch + k];
        out[i * pitch + k] = x + 7;
        if (x > limit)
            break;
    }
}

/* Of what is the row's, the round's, and neither's; from bytes by floats to words. */
kernel void put_mixed(global uint *out, global const uchar *in, global const uint *weights,
                      int pitch, int length)
{
    global ushort *to = (global ushort *)out;
    int i = ITEM;
    bool is_fourth = i & 4;
    uint made = 0;

    for (int k = 0; k < length; k++) {
        uint less = (uint)(in[i * pitch + k] * 0.5f);
        uint weight = weights[k];
        uint x = is_fourth ? less + weight : less ^ (uint)(i * i);
        to[i * pitch + k] = (ushort)MAKE(made, x + (k >> 3));
    }
}

/* Behind `n` work-items there are no rows. */
kernel void put_some(global uint *out, int pitch, int length, int n)
{
    int i = ITEM;
    uint made = 0;

    if (i >= n)
        return;
    for (int k = 0; k < length; k++)
        out[i * pitch + k] = MAKE(made, (i + 1) * (k + 3));
}

/* What other loads of a round look at may be what rounds before have stored. */
kernel void put_and_look(global uint *out, int pitch, int length, int at)
{
    int i = ITEM;

    __attribute__((opencl_unroll_hint(1))) for (int times = 0; times < TIMES; times++) {
        uint made = 0;
        for (int k = 0; k < length; k++)
            out[i * pitch + k] = MAKE(made, out[at] + k + i);
    }
}

/* The same where nothing is known of where they look. */
kernel void put_and_find(global uint *out, int pitch, int length, int at)
{
    int i = ITEM;

    __attribute__((opencl_unroll_hint(1))) for (int times = 0; times < TIMES; times++) {
        uint made = 0;
        for (int k = 0; k < length; k++)
            out[i * pitch + k] = MAKE(made, out[at + (k * k & 7)] + k + i);
    }
}

/* What a round stores is what the next one reads: it keeps that. */
kernel void added_up(global uint *out, int pitch, int length)
{
    int i = ITEM;

    for (int k = 1; k < length; k++)
        out[i * pitch + k] += out[i * pitch + k - 1] + k + i;
}

/* Indices that wrap around, in some round, lead elsewhere. */
kernel void around(global uint *out, global const uint *in, int pitch, int length, int back)
{
    uint sum = 0;
    uint first = ITEM * pitch - back;
    global const uint *from = in - 0x100000000L + back;

    for (int k = 0; k < length; k++)
        ADD(sum, from[first + k]);
    out[ITEM] = sum;
}

/* Each work-item has a part of its own, from one number to another, as far as the others'; that
 * of work-item `odd` has one more. Only those that are not left out go through theirs. */
#define PART(name, number, other)                                                              \
    name(global uint *out, global const uint *in, int pitch, other first, int length, int odd, \
         int left_out)                                                                         \
    {                                                                                          \
        other from = first + (other)((int)ITEM * pitch);                                       \
        other to = from + (other)(length + ((int)ITEM == odd));                                \
        global const uint *read = in - first;                                                  \
        global uint *put = out - first;                                                        \
        uint made = 0;                                                                         \
                                                                                               \
        if (((int)ITEM & 3) != left_out)                                                       \
            for (number k = from; k < to; k++)                                                 \
                put[k] = MAKE(made, 3 * read[k] + (uint)k);                                    \
    }

kernel void PART(part, int, int)
kernel void PART(part_unsigned, uint, uint)
kernel void PART(part_long, long, long)
kernel void PART(part_far, ulong, ulong)
kernel void PART(part_mixed, int, ulong)
__attribute__((intel_reqd_sub_group_size(16))) kernel void PART(part_16, int, int)

/* What is made of parts, beside numbers that are no sums. */
#define PART_SUM(name, number)                                                                 \
    name(global uint *out, global const uint *in, int pitch, number first, int length, int odd, \
         int left_out)                                                                         \
    {                                                                                          \
        number from = first + (number)((int)ITEM * pitch);                                     \
        number to = from + (number)(length + ((int)ITEM == odd));                              \
        global const uint *read = in - first;                                                  \
        uint sum = ITEM, other = 7;                                                            \
                                                                                               \
        if (((int)ITEM & 3) != left_out)                                                       \
            for (number k = from; k < to; k++) {                                               \
                ADD(sum, 3 * read[k] + (uint)k);                                               \
                other ^= read[k];                                                              \
            }                                                                                  \
        out[2 * ITEM] = sum;                                                                   \
        out[2 * ITEM + 1] = other;                                                             \
    }

kernel void PART_SUM(part_sum, int)
kernel void PART_SUM(part_sum_far, ulong)

/* Each goes round once at least. */
kernel void part_at_least_one(global uint *out, global const uint *in, int pitch, int length,
                              int odd)
{
    int i = ITEM, k = i * pitch, to = k + length + (i == odd ? 9 : 0);

    do {
        out[k] = 3 * in[k] + k;
    } while (++k < to);
}

/* By pointers. */
kernel void part_by_pointer(global uint *out, global const uint *in, int pitch, int length, int odd)
{
    int i = ITEM;
    global const uint *from = in + i * pitch, *to = from + length + (i == odd);
    global uint *put = out + i * pitch;

    while (from < to)
        *put++ = 3 * *from++ + 1;
}

/* Several elements a round; some left out; from the last to the first; one behind the other. */
#define TUPLES(name, element, vector, how)                                                     \
    name(global uint *out, global const element *in, int pitch, int length)                    \
    {                                                                                          \
        global element *put = (global element *)out;                                           \
        int row = ITEM * pitch;                                                                \
        vector made = 0;                                                                       \
                                                                                               \
        for (int k = 0; k < length; k++) {                                                     \
            how                                                                                \
        }                                                                                      \
    }

kernel void TUPLES(fours, uint, uint4,
                   uint4 x = vload4(row + k, in) * (uint4)(1, 2, 3, 4) + (uint)k;
                   vstore4(MAKE(made, x), row + k, put);)
kernel void TUPLES(pairs, uint, uint2, uint2 x = vload2(row + k, in).yx + (uint)ITEM;
                   vstore2(MAKE(made, x), row + k, put);)
kernel void TUPLES(pairs_of_longs, ulong, ulong2, ulong2 x = vload2(row + k, in).yx;
                   vstore2(MAKE(made, x), row + k, put);)
kernel void TUPLES(of_fours, uint, uint, global const uint *from = in + 4 * (row + k);
                   put[row + k] = MAKE(made, from[0] + 7 * from[2]);)
kernel void TUPLES(to_thirds, uint, uint, uint x = in[row + k];
                   put[3 * (row + k) + 1] = MAKE(made, x + 9);)
kernel void TUPLES(beside, uint, uint, uint x = in[row + k];
                   put[2 * (row + k) + 1] = MAKE(made, x + 9);
                   put[2 * (row + k)] = ~x;)
kernel void TUPLES(window, uint, uint, global const uint *from = in + row + k;
                   uint x = from[0] + 2 * from[1] + 4 * from[2];
                   put[row + k] = MAKE(made, x);)
kernel void TUPLES(turned, uint, uint, uint x = in[row + length - 1 - k];
                   put[row + k] = MAKE(made, 3 * x);)
kernel void TUPLES(turned_bytes, uchar, uint, uint x = in[row + (length - 1 - k)];
                   put[row + k] = (uchar)MAKE(made, 3 * x);)

/* In place, and beside what others have there. */
kernel void shifted_pairs(global uint *data, int pitch, int length, int to, int from)
{
    int i = ITEM;

    __attribute__((opencl_unroll_hint(1))) for (int times = 0; times < TIMES; times++) {
        uint made = 0;
        for (int k = 0; k < length; k++) {
            uint2 x = vload2(i * pitch + k, data + from);
            data[to + 2 * (i * pitch + k)] = MAKE(made, 3 * x.y + k);
            data[to + 2 * (i * pitch + k) + 1] = x.x + i;
        }
    }
}

/* What rounds before have read. */
kernel void differences(global uint *out, global const uint *in, int pitch, int length)
{
    uint before = ITEM, last = 5, made = 0;

    for (int k = 0; k < length; k++) {
        uint x = in[ITEM * pitch + k];
        out[ITEM * pitch + k] = MAKE(made, x - 2 * before + 3 * last);
        last = before;
        before = x;
    }
}

/* Each row is a half, and another one. */
kernel void halves(global uint *out, global const uint *in, int pitch, int length)
{
    global uint *put = out + 2 * ITEM * pitch;
    global const uint *from = in + 2 * ITEM * pitch;
    uint made = 0;

    for (int k = 0; k < length; k++) {
        uint2 x = vload2(k, from);
        put[k] = x.x + x.y;
        put[length + k] = MAKE(made, x.x * 3 - x.y);
    }
}

/* The least and the greatest of all, and bits that all have. */
kernel void extremes(global uint *out, global const uint *in, int pitch, int length)
{
    global const uint *from = in + ITEM * pitch;
    uint least = 1u << 31, most = 77, bits = ~0u;
    int low = 1 << 20, high = -(1 << 20);

    for (int k = 0; k < length; k++) {
        uint x = from[k] * 2654435761u;
        least = min(least, x);
        most = max(most, x);
        bits &= x | 0xfff;
        low = min(low, (int)x);
        high = max(high, (int)x);
    }
    vstore4((uint4)(least, most, low, high), ITEM, out);
    out[4 * get_global_size(0) + ITEM] = bits;
}

/* Every second element, of rows that may meet in many ways. */
kernel void shifted_evens(global uint *data, int pitch, int length, int to, int from, int other)
{
    int i = ITEM;

    __attribute__((opencl_unroll_hint(1))) for (int times = 0; times < TIMES; times++)
        for (int k = 0; k < length; k++)
            data[to + 2 * (i * pitch + k)] = 3 * data[from + 2 * (i * other + k)] + k + i;
}

/* What has been stored in a round may be read again in it. */
kernel void read_again(global uint *data, int pitch, int length, int to, int again)
{
    int i = ITEM;

    __attribute__((opencl_unroll_hint(1))) for (int times = 0; times < TIMES; times++)
        for (int k = 0; k < length; k++) {
            data[to + i * pitch + k] = 5 * times + k + i;
            data[1400 + i * pitch + k] = data[again + i * pitch + k] + 7;
        }
}

/* Each work-item has a part that is longer than that of the one before, or shorter. */
kernel void triangle(global uint *out, global const uint *in, int pitch, int least, int most)
{
    int i = ITEM, from = i * pitch, to = from + clamp(i - 3, least, most);

    for (int k = from; k < to; k++)
        out[k] = in[k] * 3 + k - from;
}

kernel void triangle_sum(global uint *out, global const uint *in, int pitch, int least, int most)
{
    int i = ITEM, from = i * pitch, to = from + most - clamp(i, least, most);
    uint sum = 5, last = 9;

    for (int k = from; k < to; k++) {
        uint x = in[k];
        sum += x * last;
        last = x;
    }
    out[i] = sum;
}
