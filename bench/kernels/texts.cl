/* SPDX-License-Identifier: MIT
 *
 * Texts: searching, comparing, checking, converting. */
#pragma OPENCL FP_CONTRACT OFF

/* Words, capitals, digits of each line, and of all; the longest word. */
kernel void word_count(global const uchar *text, global uint *words, global uint *totals,
                       uint width)
{
    size_t line = get_global_id(0);
    uint count = 0, capitals = 0, digits = 0, length = 0, longest = 0;

    for (uint k = 0; k < width; k++) {
        uchar c = text[line * width + k];
        if (c <= ' ') {
            length = 0;
            continue;
        }
        if (length++ == 0) {
            count++;
            if (c >= 'A' && c <= 'Z')
                capitals++;
        }
        if (c >= '0' && c <= '9')
            digits++;
        longest = max(longest, length);
    }
    words[line] = count;
    atomic_add(&totals[0], count);
    atomic_add(&totals[1], capitals);
    atomic_add(&totals[2], digits);
    atomic_max(&totals[3], longest);
}

/* Where a pattern begins in each stretch of a text, after Horspool, the shifts in local memory. */
kernel void find_horspool(global const uchar *text, global const uchar *pattern,
                          global uint *counts, global int *first, uint length, uint stretch)
{
    local uchar shifts[256];
    size_t i = get_global_id(0);
    uint at = i * stretch, end = at + stretch, count = 0;
    int found = -1;

    for (uint c = get_local_id(0); c < 256; c += get_local_size(0)) {
        uint shift = length;
        for (uint k = 0; k + 1 < length; k++)
            if (pattern[k] == c)
                shift = length - 1 - k;
        shifts[c] = (uchar)shift;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    while (at < end) {
        int k = (int)length - 1;
        while (k >= 0 && text[at + k] == pattern[k])
            k--;
        if (k < 0) {
            if (count++ == 0)
                found = (int)at;
        }
        at += shifts[text[at + length - 1]];
    }
    counts[i] = count;
    first[i] = found;
}

/* How often a pattern is in each stretch of a text, after Knuth, Morris and Pratt. */
kernel void find_kmp(global const uchar *text, global const uchar *pattern, global uint *counts,
                     global uint *total, uint length, uint stretch)
{
    size_t i = get_global_id(0);
    uint begin = i * stretch, count = 0, matched = 0;
    uchar borders[33];

    borders[0] = 0;
    borders[1] = 0;
    for (uint k = 1, border = 0; k < length; k++) {
        while (border > 0 && pattern[k] != pattern[border])
            border = borders[border];
        if (pattern[k] == pattern[border])
            border++;
        borders[k + 1] = (uchar)border;
    }
    for (uint k = begin; k < begin + stretch + length - 1; k++) {
        uchar c = text[k];
        while (matched > 0 && pattern[matched] != c)
            matched = borders[matched];
        if (pattern[matched] == c)
            matched++;
        if (matched == length) {
            count++;
            matched = borders[matched];
        }
    }
    counts[i] = count;
    if (count > 0)
        atomic_add(total, count);
}

/* Edit distance of each word of 16 bytes to one of up to 32; over 12 is given up. */
kernel void edit_distance(global const uchar *words, global const uchar *word, global uchar *out,
                          uint length)
{
    size_t i = get_global_id(0);
    uchar row[33];

    for (uint x = 0; x <= length; x++)
        row[x] = (uchar)x;
    for (uint y = 0; y < 16; y++) {
        uchar c = words[i * 16 + y];
        uchar corner = row[0], least = (uchar)(y + 1);
        row[0] = least;
        for (uint x = 1; x <= length; x++) {
            uchar change = (uchar)(corner + (word[x - 1] != c));
            corner = row[x];
            row[x] = min(change, (uchar)(min(corner, row[x - 1]) + 1));
            least = min(least, row[x]);
        }
        if (least > 12) {
            out[i] = 255;
            return;
        }
    }
    out[i] = row[length];
}

/* Length of the longest common subsequence of lines of 32 and a text, 32 rows in a word. */
kernel void lcs_bits(global const uchar *lines, global const uchar *text, global uchar *out,
                     uint length)
{
    size_t i = get_global_id(0);
    uint where[16];
    uint state = ~0u;

    for (int c = 0; c < 16; c++)
        where[c] = 0;
    for (int k = 0; k < 32; k++)
        where[lines[i * 32 + k] & 15] |= 1u << k;
    for (uint k = 0; k < length; k++) {
        uint hits = state & where[text[k] & 15];
        state = (state + hits) | (state - hits);
    }
    out[i] = (uchar)popcount(~state);
}

/* Code points and errors of each line that should be UTF-8. */
kernel void utf8_check(global const uchar *text, global uint2 *out, uint width)
{
    size_t line = get_global_id(0);
    global const uchar *at = text + line * width;
    uint points = 0, errors = 0, k = 0;

    while (k < width) {
        uint c = at[k++], more = 0, least = 0;
        switch (c >> 4) {
        case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7:
            points++;
            continue;
        case 12: case 13:
            c &= 31;
            more = 1;
            least = 0x80;
            break;
        case 14:
            c &= 15;
            more = 2;
            least = 0x800;
            break;
        case 15:
            if (c < 0xf8) {
                c &= 7;
                more = 3;
                least = 0x10000;
                break;
            }
            errors++;
            continue;
        default:
            errors++;
            continue;
        }
        while (more > 0 && k < width && (at[k] & 0xc0) == 0x80) {
            c = c << 6 | (at[k++] & 63);
            more--;
        }
        if (more > 0 || c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            errors++;
        else
            points++;
    }
    out[line] = (uint2)(points, errors);
}

/* Sum, in thousandths, of the numbers that each line has, and how many they are. */
kernel void parse_numbers(global const uchar *text, global long *sums, global uint *counts,
                          uint width)
{
    size_t line = get_global_id(0);
    global const uchar *at = text + line * width;
    ulong sum = 0;
    uint count = 0, k = 0;

    while (k < width) {
        bool negative = at[k] == '-';
        ulong value = 0;
        uint digits = 0;
        if (at[k] == '-' || at[k] == '+')
            k++;
        for (; k < width && at[k] >= '0' && at[k] <= '9'; k++, digits++)
            value = value * 10 + (at[k] - '0');
        if (digits == 0) {
            k++;
            continue;
        }
        int missing = 3;
        if (k < width && at[k] == '.') {
            for (k++; k < width && at[k] >= '0' && at[k] <= '9'; k++) {
                if (missing > 0) {
                    value = value * 10 + (at[k] - '0');
                    missing--;
                }
            }
        }
        while (missing-- > 0)
            value *= 10;
        sum += negative ? -value : value;
        count++;
    }
    sums[line] = (long)sum;
    counts[line] = count;
}

constant uchar digits_of_64[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Three bytes to four of base 64. */
kernel void base64(global const uchar *in, global uchar4 *out)
{
    size_t i = get_global_id(0);
    uint bits = (uint)in[3 * i] << 16 | (uint)in[3 * i + 1] << 8 | in[3 * i + 2];

    out[i] = (uchar4)(digits_of_64[bits >> 18], digits_of_64[bits >> 12 & 63],
                      digits_of_64[bits >> 6 & 63], digits_of_64[bits & 63]);
}

/* Lines through an automaton of 16 states for 8 classes of bytes: where each last accepted. */
kernel void regex_dfa(global const uchar *text, global const uchar *classes,
                      global const uchar *table, global int *out, uint width)
{
    size_t line = get_global_id(0), lines = get_global_size(0);
    uint state = 1;
    int accepted = -1;

    for (uint k = 0; k < width; k++) {
        uchar c = text[k * lines + line];
        state = table[state * 8 + classes[c]];
        if (state == 0)
            break;
        if (state >= 12)
            accepted = (int)k;
    }
    out[line] = accepted;
}

/* Each row in capitals. */
kernel void upper_rows(global const uchar *in, global uchar *out, uint width)
{
    size_t base = get_global_id(0) * width;

    for (uint k = 0; k < width; k++) {
        uchar c = in[base + k];
        if (c >= 'a' && c <= 'z')
            c -= 'a' - 'A';
        out[base + k] = c;
    }
}

/* Runs byte code on a stack, a program of 32 bytes for each group and an x for each work-item. */
kernel void byte_code(global const uchar *code, global const int *xs, global int *out,
                      uint programs)
{
    size_t i = get_global_id(0);
    global const uchar *at = code + get_group_id(0) % programs * 32;
    uint stack[8];
    uint depth = 1, x = (uint)xs[i], steps = 0;

    stack[0] = x;
    for (uint pc = 0; pc < 32 && steps < 200; pc++, steps++) {
        uint op = at[pc] & 15, top = stack[depth - 1];
        if (op >= 6 && depth < 2)
            op %= 6;
        if (op < 3 && depth == 8)
            op += 6;
        switch (op) {
        case 0:
            stack[depth++] = x;
            break;
        case 1:
            stack[depth++] = at[pc] >> 4;
            break;
        case 2:
            stack[depth++] = top;
            break;
        case 3:
            stack[depth - 1] = ~top;
            break;
        case 4: /* to somewhere in the first half; steps end what goes round for ever */
            if (top & 1)
                pc = at[pc] >> 4;
            break;
        case 5:
            stack[depth - 1] = top >> 1;
            break;
        case 6:
            depth--;
            stack[depth - 1] += top;
            break;
        case 7:
            depth--;
            stack[depth - 1] -= top;
            break;
        case 8:
            depth--;
            stack[depth - 1] *= top;
            break;
        case 9:
            depth--;
            stack[depth - 1] ^= top;
            break;
        case 10:
            depth--;
            stack[depth - 1] = stack[depth - 1] << (top & 31) | top >> 27;
            break;
        case 11:
            stack[depth - 1] = stack[depth - 2];
            stack[depth - 2] = top;
            break;
        case 12:
            depth--;
            stack[depth - 1] = stack[depth - 1] < top ? top : stack[depth - 1];
            break;
        default: /* skips a byte unless the two on top are in order */
            if (stack[depth - 2] > top)
                pc++;
            break;
        }
    }
    out[i] = (int)(stack[depth - 1] + steps);
}
