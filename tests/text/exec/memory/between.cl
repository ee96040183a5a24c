// Stores of elements with few others between them, which stay as they are, of all channels and of some, up to the end of a
// buffer; in shared local memory as well.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t && %python %S/inputs/between.py %t
// RUN: cd %t && sh -c 'for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: cd %t && sh -c 'while read k type room n from; do for d in pvc skl; do for e in interp jit "jit --cpu avx2"; do %visage run $d put_$k --engine $e -g 256 -l 64 -a buf:u8:@on -a buf:$type:$room:fill=77:out=got -a i32:$n -a i32:$from && cmp got want.$k.$n.$from || exit 1; done; done; done < cases'
// RUN: cd %t && sh -c 'while read k; do for d in pvc skl; do for e in interp jit "jit --cpu avx2"; do %visage run $d near_$k --engine $e -g 256 -l 64 -a buf:u8:@on -a buf:u8:10240:zero:out=got && cmp got near.$k || exit 1; done; done; done < kinds'
// RUN: %visage compile --emit asm --no-comments --cpu avx512 %t/pvc put_uint_2 | FileCheck %s
// CHECK: vmovdqu32 {{.*}}%zmm{{[0-9]+}}, {{.*}}{%k
#define PUT(type, gap)                                                                         \
    kernel void put_##type##_##gap(global const uchar *on, global type *out, int n, int from)  \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
                                                                                               \
        if (from == 0 && gap * i + 1 < n)                                                      \
            out[gap * i + 1] = (type)(3 * i);                                                  \
        if (gap * i + from < n && on[i])                                                       \
            out[gap * i + from] = (type)(5 * i + 1);                                           \
    }                                                                                          \
                                                                                               \
    kernel void near_##type##_##gap(global const uchar *on, global type *out)                  \
    {                                                                                          \
        local type row[64 * gap];                                                              \
        int i = get_global_id(0), l = get_local_id(0);                                         \
                                                                                               \
        for (int k = 0; k < gap; k++)                                                          \
            row[64 * k + l] = (type)(64 * k + l);                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        if (on[i])                                                                             \
            row[gap * l + 1] = (type)(5 * i + 1);                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                          \
        for (int k = 0; k < gap; k++)                                                          \
            out[(i - l) * gap + 64 * k + l] = row[64 * k + l];                                 \
    }

#define ALL(type) PUT(type, 2) PUT(type, 3) PUT(type, 4) PUT(type, 5)

ALL(uchar)
ALL(ushort)
ALL(uint)
ALL(ulong)

/* Two of each four, or three, elements. */
#define PAIR(gap)                                                                              \
    kernel void put_pair_##gap(global const uchar *on, global uint *out, int n, int from)      \
    {                                                                                          \
        int i = get_global_id(0);                                                              \
                                                                                               \
        if (gap * i + from + 1 < n && on[i])                                                   \
            vstore2((uint2)(5 * i + 1, 7 * i), 0, out + gap * i + from);                       \
    }

PAIR(3)
PAIR(4)
