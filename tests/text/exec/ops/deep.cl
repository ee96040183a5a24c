// Fences in arithmetic that is many operations deep, as that of ciphers, end LLVM's search for known bits.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %visage compile %t/k.zebin --cpu avx2 | FileCheck %s
// CHECK: call {{.*}} @llvm.arithmetic.fence
// RUN: %python -c "import struct; M = 2**32 - 1; t = lambda x, n: (x << n | x >> 32 - n) & M; q = lambda a, b, c, d: (lambda a, d: (lambda c: (lambda b: (lambda a: (lambda d: (lambda c: (a, t(b ^ c, 7), c, d))(c + d & M))(t(d ^ a, 8)))(a + b & M))(t(b ^ c, 12)))(c + d & M))(a + b & M, t(d ^ (a + b & M), 16)); f = lambda x: (lambda s: s[0] ^ s[1] ^ s[2] ^ s[3])(q(*q(*q(*q(x, x ^ 0x9e3779b9, (x ^ 0x9e3779b9) + x & M, ((x ^ 0x9e3779b9) + x & M) ^ 12345))))); n = [i * 2654435761 & M for i in range(512)]; open('%t/in', 'wb').write(struct.pack('512I', *n)); open('%t/want', 'wb').write(struct.pack('512I', *map(f, n)))"
// RUN: sh -c 'for e in interp jit "jit --quick" "jit --cpu sse4.2"; do %visage run %t/k.zebin deep --engine $e --global 512 --local 128 -a buf:u32:@%t/in:out=%t/got && cmp %t/got %t/want || exit 1; done'
kernel void deep(global uint *x)
{
    size_t i = get_global_id(0);
    uint a = x[i], b = a ^ 0x9e3779b9u, c = b + a, d = c ^ 12345u;

    for (int r = 0; r < 4; r++) {
        a += b; d = rotate(d ^ a, 16u);
        c += d; b = rotate(b ^ c, 12u);
        a += b; d = rotate(d ^ a, 8u);
        c += d; b = rotate(b ^ c, 7u);
    }
    x[i] = a ^ b ^ c ^ d;
}
