// Elements of all sizes to places without order, each place once; some channels are off, and where they would store lies
// anywhere. Processors have no instruction for most of these.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %python -c "import random, struct; r = random.Random(5); n = 512; at = [r.sample(range(n), n) for _ in range(5)]; on = [r.random() < .6 for _ in range(n)]; v = [r.getrandbits(64) for _ in range(n)]; open('%t/v', 'wb').write(struct.pack('512Q', *v)); open('%t/on', 'wb').write(bytes(on)); out = lambda a, s, on: b''.join((v[a.index(p)] * (1 + 2 ** 64) & 2 ** (8 * s) - 1 if on[a.index(p)] else 0).to_bytes(s, 'little') for p in range(n)); sizes = (1, 2, 4, 8, 16); write = lambda name, on: (open('%t/' + name + '.at', 'wb').write(struct.pack('2560I', *(x if o else r.getrandbits(32) for a in at for x, o in zip(a, on)))), open('%t/' + name + '.want', 'wb').write(b''.join(out(a, s, on) for a, s in zip(at, sizes)))); write('all', [True] * n); write('some', on)"
// RUN: sh -c 'for e in interp jit %if avx512 %{"jit --cpu avx512"%} "jit --cpu avx2" "jit --cpu sse4.2" "jit --quick"; do for k in all some; do %visage run %t/k.zebin $k --engine $e --global 512 --local 128 -a buf:u64:@%t/v -a buf:u32:@%t/$k.at -a buf:u8:@%t/on -a buf:u8:15872:zero:out=%t/got && cmp %t/got %t/$k.want || exit 1; done; done'
#define STORE(type, k, from) ((global type *)(out + (from)))[at[k * 512 + i]] = (type)v[i]
#define STORE_ALL                                                                                                         \
    STORE(uchar, 0, 0);                                                                                                   \
    STORE(ushort, 1, 512);                                                                                                \
    STORE(uint, 2, 1536);                                                                                                 \
    STORE(ulong, 3, 3584);                                                                                                \
    ((global uint4 *)(out + 7680))[at[2048 + i]] = as_uint4((ulong2)(v[i]));

kernel void all(global const ulong *v, global const uint *at, global const uchar *on, global uchar *out)
{
    size_t i = get_global_id(0);

    STORE_ALL
}

kernel void some(global const ulong *v, global const uint *at, global const uchar *on, global uchar *out)
{
    size_t i = get_global_id(0);

    if (on[i]) {
        STORE_ALL
    }
}
