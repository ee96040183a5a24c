// Few channels that are apart are moved in place, and so are those of loops; where text has many, a call does, and the handler
// nothing. Where there are masks for them, more are.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %visage compile %t/k.zebin few --cpu avx2 | FileCheck %s --check-prefix=PLACE
// RUN: %visage compile %t/k.zebin looped --cpu avx2 | FileCheck %s --check-prefix=PLACE
// RUN: %visage compile %t/k.zebin many --cpu avx2 | FileCheck %s --check-prefix=CALL --implicit-check-not=run_handler
// RUN: %visage compile %t/k.zebin many --cpu avx512 | FileCheck %s --check-prefix=PLACE
// RUN: %visage compile %t/k.zebin scattered --cpu avx2 | FileCheck %s --check-prefix=STORE
// PLACE: define
// PLACE-NOT: call {{.*}}@vsg_jit_load_flat
// CALL: define
// CALL-COUNT-16: call {{.*}}@vsg_jit_load_flat
// STORE: define
// STORE-COUNT-16: call {{.*}}@vsg_jit_store_flat
#define LOOK(k) sum = sum * 5 + t[(h >> (k)) % 1021]
#define LOOK_4(k) LOOK(k), LOOK(k + 1), LOOK(k + 2), LOOK(k + 3)

kernel void few(global const uint *t, global uint *out)
{
    uint i = get_global_id(0), h = i * 2654435761u, sum = 0;

    LOOK_4(0);
    out[i] = sum;
}

kernel void looped(global const uint *t, global uint *out, uint n)
{
    uint i = get_global_id(0), h = i * 2654435761u, sum = 0;

    for (uint k = 0; k < n; k++, h += sum) {
        LOOK_4(0);
        LOOK_4(4);
        LOOK_4(8);
        LOOK_4(12);
    }
    out[i] = sum;
}

kernel void many(global const uint *t, global uint *out)
{
    uint i = get_global_id(0), h = i * 2654435761u, sum = 0;

    LOOK_4(0);
    LOOK_4(4);
    LOOK_4(8);
    LOOK_4(12);
    out[i] = sum;
}

#define PUT(k) out[(h >> (k)) % 1021] = h
#define PUT_4(k) PUT(k), PUT(k + 1), PUT(k + 2), PUT(k + 3)

kernel void scattered(global uint *out)
{
    uint h = get_global_id(0) * 2654435761u;

    PUT_4(0);
    PUT_4(4);
    PUT_4(8);
    PUT_4(12);
}
