// Elements of all sizes at places without order, the first and the last of the memory and any byte among them; some channels
// are off, and what they leave out lies anywhere.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && sh -c 'for d in pvc skl; do ocloc compile -q -file %s -device $d --format zebin -output $d -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: %python -c "import random, struct; r = random.Random(3); n = 4096; data = r.randbytes(n); sizes = (1, 2, 4, 8); at = [[n - s, 0] + [r.randrange(n - s + 1) for _ in range(510)] for s in sizes]; on = [r.random() < .6 for _ in range(512)]; w = lambda x, s: int.from_bytes(data[x:x + s], 'little'); open('%t/data', 'wb').write(data); open('%t/all.at', 'wb').write(struct.pack('2048I', *(x for a in at for x in a))); open('%t/some.at', 'wb').write(struct.pack('2048I', *(x if o else r.getrandbits(32) for a in at for x, o in zip(a, on)))); open('%t/on', 'wb').write(bytes(on)); open('%t/all.want', 'wb').write(struct.pack('2048Q', *(w(x, s) for a, s in zip(at, sizes) for x in a))); open('%t/some.want', 'wb').write(struct.pack('2048Q', *(w(x, s) if o else 7 for a, s in zip(at, sizes) for x, o in zip(a, on))))"
// RUN: sh -c 'for d in pvc skl; do for e in interp jit %if avx512 %{"jit --cpu avx512"%} "jit --cpu avx2"; do for k in all some shared; do %visage run %t/$d $k --engine $e --global 512 --local 128 -a buf:u8:@%t/data -a buf:u32:@%t/$([ $k = all ] && echo all || echo some).at -a buf:u8:@%t/on -a buf:u64:2048:zero:out=%t/got && cmp %t/got %t/$([ $k = shared ] && echo some || echo $k).want || exit 1; done; done; done'
#define LOAD_FROM(space, type, k) *(space const type *)(data + at[k * 512 + i])
#define LOAD(type, k)             LOAD_FROM(global, type, k)

kernel void all(global const uchar *data, global const uint *at, global const uchar *on,
                global ulong *out)
{
    size_t i = get_global_id(0);

    out[i] = LOAD(uchar, 0);
    out[512 + i] = LOAD(ushort, 1);
    out[1024 + i] = LOAD(uint, 2);
    out[1536 + i] = LOAD(ulong, 3);
}

kernel void some(global const uchar *data, global const uint *at, global const uchar *on,
                 global ulong *out)
{
    size_t i = get_global_id(0);
    ulong a = 7, b = 7, c = 7, d = 7;

    if (on[i]) {
        a = LOAD(uchar, 0);
        b = LOAD(ushort, 1);
        c = LOAD(uint, 2);
        d = LOAD(ulong, 3);
    }
    out[i] = a;
    out[512 + i] = b;
    out[1024 + i] = c;
    out[1536 + i] = d;
}

kernel void shared(global const uchar *all, global const uint *at, global const uchar *on,
                   global ulong *out)
{
    local uchar data[4096];
    size_t i = get_global_id(0);
    ulong a = 7, b = 7, c = 7, d = 7;

    for (size_t k = get_local_id(0); k < 4096; k += get_local_size(0))
        data[k] = all[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (on[i]) {
        a = LOAD_FROM(local, uchar, 0);
        b = LOAD_FROM(local, ushort, 1);
        c = LOAD_FROM(local, uint, 2);
        d = LOAD_FROM(local, ulong, 3);
    }
    out[i] = a;
    out[512 + i] = b;
    out[1024 + i] = c;
    out[1536 + i] = d;
}
