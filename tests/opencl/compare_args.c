/* SPDX-License-Identifier: MIT
 *
 * Arguments and ranges of the rows, and the comparison of results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

/* ---- numbers ---------------------------------------------------------------------------- */

double half_value(uint16_t half)
{
    int exponent = half >> 10 & 0x1f;
    int fraction = half & 0x3ff;
    double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(fraction + 1024, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

/* Of the halves next to it the nearer one, the even one of two; found by trying all. */
uint16_t half_bits(double value)
{
    uint16_t best = 0;

    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        double distance = fabs(half_value((uint16_t)bits) - fabs(value));
        double least = fabs(half_value(best) - fabs(value));
        if (distance < least || (distance == least && bits % 2 == 0))
            best = (uint16_t)bits;
    }
    return value < 0 ? best | 0x8000 : best;
}

/* A generator of its own (splitmix64), so that every machine has the same arguments. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double element_value(const arg *a, const unsigned char *from)
{
    uint16_t half;
    float single;
    double real;

    if (a->bytes == 2) {
        memcpy(&half, from, 2);
        return half_value(half);
    }
    if (a->bytes == 4) {
        memcpy(&single, from, 4);
        return (double)single;
    }
    memcpy(&real, from, 8);
    return real;
}

/* ---- arguments -------------------------------------------------------------------------- */

static void store(arg *a, size_t index, double real, uint64_t whole)
{
    unsigned char *to = a->before + index * a->bytes;
    if (a->type != 'f')
        memcpy(to, &whole, a->bytes);
    else if (a->bytes == 2) /* eighths: products are exact, fused with a sum or not */
        memcpy(to, &(uint16_t){half_bits(nearbyint(real * 8) / 8)}, 2);
    else if (a->bytes == 4)
        memcpy(to, &(float){(float)real}, 4);
    else
        memcpy(to, &real, 8);
}

static uint64_t whole_number(const char *text)
{
    return *text == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
}

static void fill(arg *a, const char *low_text, const char *high_text, uint64_t *random)
{
    double low = strtod(low_text, NULL);
    double high = strtod(high_text, NULL);
    uint64_t from = a->type == 'f' ? 0 : whole_number(low_text);
    uint64_t span = a->type == 'f' ? 0 : whole_number(high_text) - from + 1;

    for (size_t i = 0; i < a->count; i++) {
        uint64_t bits = next_random(random);
        store(a, i, low + (high - low) * ldexp((double)(bits >> 11), -53),
              from + (span ? bits % span : bits));
    }
}

static void set_element(arg *a, size_t index, const char *text)
{
    store(a, index, strtod(text, NULL), a->type == 'f' ? 0 : whole_number(text));
}

static void read_type(arg *a, const char *text)
{
    a->type = text[0];
    a->bytes = (size_t)atoi(text + 1) / 8;
    a->pad = strchr(text, 'x') != NULL;
}

static bool fill_image(arg *a, char *const *words, int count, unsigned seed)
{
    uint64_t random = seed;

    if (!read_image(a, words, count) || a->size > MOST_BYTES)
        return false;
    if (a->type == 'f')
        fill(a, "-4", "4", &random);
    else
        fill(a, "0", "18446744073709551615", &random);
    return true;
}

static bool read_buffer(arg *a, char *const *words, int count, unsigned seed)
{
    uint64_t random = seed;

    a->kind = ARG_BUFFER;
    read_type(a, words[0]);
    a->count = (size_t)atoi(words[1]);
    a->size = a->count * a->bytes;
    if (a->size == 0 || a->size > MOST_BYTES)
        return false;
    fill(a, words[2], words[3], &random);
    size_t next = 0;
    for (int i = 4; i < count; i++) {
        if (words[i][0] == '@')
            next = (size_t)atoi(words[i] + 1);
        else if (next < a->count)
            set_element(a, next++, words[i]);
        else
            return false;
    }
    return true;
}

bool read_arg(const char *text, unsigned seed, arg *out)
{
    char copy[512];
    char *words[80];
    int count = 0;

    memset(out, 0, sizeof *out);
    if (!text)
        return true;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    for (char *word = strtok(copy, " *"); word && count < 80; word = strtok(NULL, " *"))
        words[count++] = word;
    if (strcmp(text, "null") == 0) {
        out->kind = ARG_NULL;
        return true;
    }
    if (strncmp(text, "image ", 6) == 0)
        return fill_image(out, words, count, seed);
    if (strncmp(text, "sampler ", 8) == 0)
        return read_sampler(out, words, count);
    if (text[0] == '~') {
        out->kind = ARG_LOCAL;
        out->size = (size_t)atoi(text + 1);
        return out->size > 0;
    }
    if (text[0] != '=')
        return count >= 4 && read_buffer(out, words, count, seed);
    out->kind = ARG_VALUE;
    read_type(out, words[0] + 1);
    out->count = (size_t)count - 1;
    for (int i = 1; i < count; i++)
        set_element(out, (size_t)i - 1, words[i]);
    out->size = (out->count == 3 ? 4 : out->count) * out->bytes; /* of three as of four */
    return out->count > 0;
}

/* ---- ranges ----------------------------------------------------------------------------- */

static const char *read_sizes(const char *text, uint32_t *sizes, unsigned *count)
{
    char *end = NULL;

    *count = 0;
    do {
        sizes[(*count)++] = (uint32_t)strtoul(text, &end, 10);
        text = end + 1;
    } while (*end == 'x' && *count < 3);
    return end;
}

bool read_range(const char *text, ndrange *out)
{
    unsigned count, locals, offsets;

    *out = (ndrange){.dimensions = 1, .global = {1, 1, 1}, .launches = 1};
    if (strncmp(text, "seq ", 4) == 0) {
        char *end;
        out->local[0] = out->local[1] = out->local[2] = 1;
        out->launches = (uint32_t)strtoul(text + 4, &end, 10);
        out->stride = strncmp(end, " by ", 4) == 0 ? (uint32_t)atoi(end + 4) : 1;
        out->launches /= out->stride;
        return out->launches > 0;
    }
    if (strncmp(text, "racing ", 7) == 0) {
        out->races = true;
        text += 7;
    }
    text = read_sizes(text, out->global, &count);
    out->dimensions = count;
    if (*text == '/') {
        out->local[1] = out->local[2] = 1;
        text = read_sizes(text + 1, out->local, &locals);
        if (locals != count)
            return false;
    }
    if (*text == '+') {
        text = read_sizes(text + 1, out->offset, &offsets);
        if (offsets != count)
            return false;
    }
    return *text == 0;
}

/* ---- comparing -------------------------------------------------------------------------- */

static const struct {
    int bits, least; /* of the significand; exponent of the last place of subnormals */
} formats[9] = {[2] = {11, -24}, [4] = {24, -149}, [8] = {53, -1074}};

/* `want` is what is right; the format rounds it, beyond its largest number to infinity. */
static bool near_real(const arg *a, long double want, double got, double ulp, double absolute)
{
    int exponent;

    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    if (isinf(want))
        return want == (long double)got;
    (void)frexpl(want, &exponent);
    exponent -= formats[a->bytes].bits;
    if (exponent < formats[a->bytes].least)
        exponent = formats[a->bytes].least;
    double allowed = fmax(ulp * ldexp(1, exponent), absolute);
    if (isinf(got)) {
        double limit = a->bytes == 2 ? 65520.0 : a->bytes == 4 ? 0x1.ffffffp127 : HUGE_VAL;
        return signbit(want) == signbit(got) && fabsl(want) + allowed >= limit;
    }
    return fabsl(want - (long double)got) <= allowed;
}

static bool same_element(const arg *a, size_t i)
{
    const unsigned char *want = a->host + i * a->bytes;
    const unsigned char *got = a->ours + i * a->bytes;
    int32_t low, high;

    if (a->pad && i % 4 == 3)
        return true;
    if (a->slack) {
        memcpy(&low, want, 4);
        memcpy(&high, got, 4);
        return high >= low && high - low <= a->slack;
    }
    if (a->type != 'f')
        return memcmp(want, got, a->bytes) == 0;
    if (a->reals)
        return near_real(a, a->real[i], element_value(a, got), fmax(a->real_ulp[i], a->ulp),
                         a->real_absolute[i]);
    double x = element_value(a, want);
    double y = element_value(a, got);
    return x == y || near_real(a, (long double)x, y, a->ulp, 0);
}

static void show(const arg *a, int number, size_t i)
{
    uint64_t want = 0;
    uint64_t got = 0;

    memcpy(&want, a->host + i * a->bytes, a->bytes);
    memcpy(&got, a->ours + i * a->bytes, a->bytes);
    printf("# argument %d [%zu]: expected 0x%llx, got 0x%llx", number, i,
           (unsigned long long)want, (unsigned long long)got);
    if (a->type == 'f')
        printf(" (%.19Lg, %.17g)",
               a->reals ? a->real[i] : (long double)element_value(a, a->host + i * a->bytes),
               element_value(a, a->ours + i * a->bytes));
    putchar('\n');
}

static bool has_contents(const arg *a)
{
    return a->kind == ARG_BUFFER || a->kind == ARG_IMAGE;
}

bool compare_args(const arg *args)
{
    int wrong = 0;

    for (int n = 0; n < MOST_ARGS && args[n].kind; n++)
        for (size_t i = 0; has_contents(&args[n]) && i < args[n].count; i++)
            if (!args[n].skipped && !same_element(&args[n], i) && wrong++ < 6)
                show(&args[n], n, i);
    if (wrong > 6)
        printf("# %d elements are wrong\n", wrong);
    return wrong == 0;
}
