// Indices of 64 bits, whose halves the compiler puts together, and upper bits of numbers: rows where all channels have the same
// ones, and none where they do not, as where a product or a sum crosses 2^32.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t && %python %S/inputs/rows_halves.py %t
// RUN: cd %t && sh -c 'for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: cd %t && sh -c 'while read k n start by less; do for d in pvc skl; do for e in interp jit "jit --quick" "jit --cpu avx2"; do %visage run $d $k --engine $e -g 192 -l 64 -a buf:u32:@in -a buf:u32:192:zero:out=got -a u32:$start -a u32:$by -a u64:$less && cmp got want.$n || exit 1; done; done; done < cases'
// RUN: cd %t && sh -c 'while read n start by less; do for d in pvc skl; do for e in interp jit "jit --cpu avx2"; do for l in 8,8 32,1; do %visage run $d planes --engine $e -g 32,16 -l $l -a buf:u32:@in -a buf:u32:512:zero:out=got -a u32:$start -a u32:$by -a u64:$less && cmp got want.planes.$n || exit 1; done; done; done; done < planes'
// RUN: cd %t && sh -c 'for e in interp jit; do %visage run pvc again --engine $e -g 64 -l 64 -a buf:u32:@in -a buf:u32:64:zero:out=got -a u32:6 -a u32:4294967290 && cmp got want.again || exit 1; done'
#define KERNEL(name, index)                                                                    \
    kernel void name(global const uint *in, global uint *out, uint start, uint by, ulong less) \
    {                                                                                          \
        uint i = get_global_id(0);                                                             \
                                                                                               \
        out[i] = in[index];                                                                    \
    }

/* Of work-items before those that go round 2^32, or of those. The index is made for all. */
#define SOME(name, condition, index)                                                           \
    kernel void name(global const uint *in, global uint *out, uint start, uint by, ulong less) \
    {                                                                                          \
        uint i = get_global_id(0), x = i + start;                                              \
        ulong at = index;                                                                      \
                                                                                               \
        out[i] = (uint)(at + (at >> 32));                                                      \
        if (condition)                                                                         \
            out[i] = in[at];                                                                   \
    }

SOME(before_product, x >= start, (ulong)x * by - less)
SOME(behind_product, x < start, (ulong)x * by - less)
SOME(before_back, x >= start, less - 1 - (ulong)x)
SOME(behind_back, x < start, less - 1 - (ulong)x)

KERNEL(product, (ulong)(i + start) * by - less)
KERNEL(twelve, (ulong)(i + start) * 12 - less)
KERNEL(back, less - 1 - (ulong)(i + start))
KERNEL(low, (ulong)((i + start) & 255) - less)
KERNEL(high, (ulong)((i + start) >> 4) * by - less)
KERNEL(signs, (ulong)(long)(((int)(i + start) >> 5) * (int)by) - less)
KERNEL(halves, (ulong)((int)(i + start) / 64) * by + (i + start) % 64 - less)

/* Sums of 64 bits, whose halves the compiler multiplies: work-items along y have a row each. */
kernel void planes(global const uint *in, global uint *out, uint start, uint by, ulong less)
{
    size_t x = get_global_id(0), y = get_global_id(1);

    out[y * get_global_size(0) + x] = in[(y + start + 4294967040) * by + x - less];
}

/* Lanes that have gone round stay none of a row in later rounds, and those behind are right. */
kernel void again(global const uint *in, global uint *out, uint rounds, uint start)
{
    uint i = get_global_id(0), sum = 0;

    for (uint k = 0; k < rounds; k++)
        sum = sum * 3 + in[((ulong)(i + start + k * 2) * 5) % 1024 + ((ulong)(i + k) * 3 & 511)];
    out[i] = sum;
}
