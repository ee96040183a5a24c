// Groups that wait for those before them, while code is made and workers change to it.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %python -c "import struct; n, x = [], 0; exec('for g in range(1024):\n x = (x + g % 7 + 1) % 2**32\n n.append(x)'); open('%t/sums', 'wb').write(struct.pack('1024I', *n))"
// RUN: sh -c 'for e in auto jit; do for j in 1 3 4; do %visage run %t/k.zebin chain --engine $e --no-cache --jobs $j --timeout 60 -g 65536 -l 64 -a buf:u32:65536:zero -a buf:u32:1024:zero:out=%t/got -a u32:1000 && cmp %t/got %t/sums || exit 1; done; done'
kernel void chain(global uint *out, volatile global uint *sums, uint rounds)
{
    uint l = get_local_id(0), g = get_group_id(0), x = l;

    for (uint i = 0; i < rounds; i++)
        x = x * 1664525u + 1013904223u;
    if (l == 0) {
        uint before = 0;
        if (g > 0)
            while ((before = atomic_add(&sums[g - 1], 0)) == 0) {
            }
        atomic_xchg(&sums[g], before + g % 7 + 1);
    }
    out[get_global_id(0)] = x;
}
