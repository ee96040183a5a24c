// Behind a barrier all that is live is loaded; rows of such loads are cut, or LLVM looks for each at all others.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %visage compile %t/k.zebin many | FileCheck %s --check-prefix=CUT
// RUN: %visage compile %t/k.zebin few | FileCheck %s --check-prefix=WHOLE
// RUN: %python -c "import struct; n = [k * k for k in range(64 * 40)]; open('%t/in', 'wb').write(struct.pack('2560I', *n)); open('%t/many', 'wb').write(struct.pack('64I', *(sum(n[40 * i:40 * i + 40]) + n[40 * (i ^ 1)] & 2**32 - 1 for i in range(64)))); open('%t/few', 'wb').write(struct.pack('64I', *(sum(n[40 * i:40 * i + 2]) + n[40 * (i ^ 1)] & 2**32 - 1 for i in range(64))))"
// RUN: sh -c 'for k in many few; do for e in interp jit "jit --quick"; do %visage run %t/k.zebin $k --engine $e --global 64 --local 64 -a buf:u32:@%t/in -a buf:u32:64:zero:out=%t/got && cmp %t/got %t/$k || exit 1; done; done'
// CUT: define
// CUT: call void asm sideeffect ""
// WHOLE: define
// WHOLE-NOT: asm sideeffect
#define KERNEL(name, count)                                                                                               \
    kernel void name(global const uint *in, global uint *out)                                                             \
    {                                                                                                                     \
        local uint t[64];                                                                                                 \
        uint i = get_global_id(0), l = get_local_id(0), v[count], sum = 0;                                                \
                                                                                                                          \
        __attribute__((opencl_unroll_hint)) for (uint k = 0; k < count; k++) v[k] = in[i * 40 + k];                       \
        t[l] = v[0];                                                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                     \
        __attribute__((opencl_unroll_hint)) for (uint k = 0; k < count; k++) sum += v[k];                                 \
        out[i] = sum + t[l ^ 1];                                                                                          \
    }

KERNEL(many, 40)
KERNEL(few, 2)
