// Rows of 32-bit offsets that begin before the memory, or end behind it: channels that would be outside are off. Where they are
// on, both engines say the same of them.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && sh -c 'for d in skl pvc; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: %python -c "n = 100; r = range(-7, 121); w = lambda s: [b for x in r for b in ([(x * s + k) %% 251 if 0 <= x < n else 9 * (k == 0) for k in range(s)])]; [(open('%t/in%%d' %% s, 'wb').write(bytes(x %% 251 for x in range(n * s))), open('%t/want%%d' %% s, 'wb').write(bytes(w(s)))) for s in (1, 2, 4)]"
// RUN: cd %t && sh -c 'for d in skl pvc; do for e in interp jit "jit --quick" "jit --cpu avx2"; do for s in 1 2 4; do %visage run $d guarded$s --engine $e -g 128 -l 64 -a buf:u8:@in$s -a buf:u8:$((128 * s)):zero:out=got -a i32:-7 -a i32:100 && cmp got want$s || exit 1; done; done; done'
// RUN: cd %t && sh -c 'for e in interp jit; do for at in -7 90; do for s in 1 2 4; do %visage run skl all$s --engine $e --cpu avx2 -g 128 -l 64 -a buf:u8:@in$s -a buf:u8:$((128 * s)):zero -a i32:$at; echo $?; done; done > $e 2>&1; done; cmp interp jit && grep -c "^3$" jit' | FileCheck %s
// CHECK: {{^}}6{{$}}
#define BOTH(type, size)                                                                       \
    kernel void guarded##size(global const type *in, global type *out, int start, int n)       \
    {                                                                                          \
        int i = (int)get_global_id(0), at = i + start;                                         \
        type x = 9;                                                                            \
                                                                                               \
        if (at >= 0 && at < n)                                                                 \
            x = in[at];                                                                        \
        out[i] = x;                                                                            \
    }                                                                                          \
                                                                                               \
    kernel void all##size(global const type *in, global type *out, int start)                  \
    {                                                                                          \
        int i = (int)get_global_id(0);                                                         \
                                                                                               \
        out[i] = in[i + start];                                                                \
    }

BOTH(uchar, 1)
BOTH(ushort, 2)
BOTH(uint, 4)
