// Qwords whose dwords compilers compute by themselves: PVC's AND, OR, XOR and selections, and
// products. The engines agree, and so do devices that have them as they are, and those that do not.
// REQUIRES: jit, ocloc
// RUN: mkdir -p %t
// RUN: sh -c 'cd %t && for d in pvc skl dg2; do ocloc compile -q -file %s -device $d --format zebin -output k.$d -output_no_suffix -options "-cl-std=CL2.0 -D SUB=$([ $d = pvc ] && echo 32 || echo 8) $([ $d = dg2 ] || echo -D DOUBLES)" -internal_options "-ze-emit-zebin-visa-sections" || exit 1; done'
// RUN: sh -c 'cd %t && for k in logic masks chosen carried loops products squares hashed random mixed both halves bits swapped uniform longer unrolled few bare late; do for d in pvc skl dg2; do for w in interp "jit --cpu avx2" "jit --cpu sse4.2" "jit --quick" jit; do %visage run k.$d $k --engine $w --no-cache --jobs 1 -g 333 -l 37 -a buf:u64:1024:rand=7 -a buf:u32:1024:rand=3 -a u64:0xfedcba9876543210 -a buf:u64:1024:zero:out=out.$d.$(echo $w | tr -d " .-") || exit 1; done; for w in jitcpuavx2 jitcpusse42 jitquick jit; do cmp out.$d.interp out.$d.$w || { echo $d $k; exit 1; }; done; done; cmp out.pvc.interp out.skl.interp && cmp out.pvc.interp out.dg2.interp || { echo $k; exit 1; }; done'
//
// On PVC hardly anything is taken apart in these, but where results are stored, and products are of
// qwords.
// RUN: sh -c 'cd %t; for k in hashed random unrolled; do %visage compile k.pvc $k --cpu avx512 --no-comments > $k.ll; grep -q "xor <32 x i64>" $k.ll || echo $k: dwords; [ $(grep -c "shufflevector <64 x i32>.*i32 1, i32 3, i32 5, i32 7" $k.ll) -le 2 ] || echo $k: apart; done; for k in hashed products; do %visage compile k.pvc $k --cpu avx512 --no-comments | grep -q "mul <32 x i64>" || echo $k: product; done' | FileCheck %s --check-prefix=WHOLE --allow-empty
// WHOLE-NOT: {{.}}

#define ARGS global const ulong *in, global const uint *small, ulong key, global ulong *out
#define KERNEL __attribute__((intel_reqd_sub_group_size(SUB))) kernel void

KERNEL logic(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333], c = in[i + 666];

    out[i] = ((a & b) << 3) + ((a | c) >> 5) + ((a ^ b ^ c) << 7) + (~(a & ~b | c) >> 9) +
             ((a & b | ~a & c) << 11) + ((a & b) ^ (a & c) ^ (b & c));
}

// Constants of which a dword is all zeros, or ones.
KERNEL masks(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333];

    out[i] = ((a & 0xffffffff00000000) >> 1) + ((b & 0xffffffff) << 1) + ((a | 0xffffffff) >> 2) +
             ((b | 0xffffffff00000000) << 3) + ((a ^ 0xff) << 4) + ((b ^ 0xff00000000000000) >> 5) +
             ((a & 0xff) << 33) + (b & 0x00ff000000000000) + ((a & 0xf0f0f0f00f0f0f0f) << 1);
}

// Of which some channels have other ones.
KERNEL chosen(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333], r = a ^ b;

    if (small[i] & 1)
        r = (a & b) << 1;
    else if (small[i] & 2)
        r ^= (small[i] & 4 ? a : b) + 3;
    r = small[i] > 0x80000000 ? r & a : r | b;
    out[i] = r + (small[i] % 3 == 0 ? a ^ r : b);
}

KERNEL carried(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333], r = 0;

    for (uint k = 0; k < (small[i] & 15); k++) {
        ulong t = a ^ (a << 23);
        a = b;
        b = t ^ b ^ (t >> 17) ^ (b >> 26);
        r += a + b;
        if (r & 64)
            r ^= key;
    }
    out[i] = r;
}

// Until a channel's own end, inside of which others go on.
KERNEL loops(ARGS)
{
    uint i = get_global_id(0), count = 0;
    ulong x = in[i];

    while (x) {
        if (x & 1)
            x = (x >> 1) ^ 0xd800000000000000;
        else
            x >>= 2;
        for (uint k = small[i] & 3; k; k--)
            x &= ~(key << k);
        if (++count > 50)
            break;
    }
    out[i] = x ^ count;
}

KERNEL products(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333];

    out[i] = (a * 5 ^ b * 0x9e3779b97f4a7c15) + (a * b ^ (b * key) >> 3) +
             (a * 0x100000001b3 ^ b * 0xffffffff00000001) + (a * 0x300000000 ^ b);
}

KERNEL squares(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333] >> 20;

    for (uint k = 0; k < 5; k++) {
        a = a * a ^ b;
        b = b * b + (a & 0xffff);
    }
    out[i] = a ^ b;
}

KERNEL hashed(ARGS)
{
    uint i = get_global_id(0);
    ulong h = key, w;

    for (uint k = 0; k < 3; k++) {
        w = in[i + 333 * k] * 0x87c37b91114253d5;
        h = rotate((rotate(w, 31UL) * 0x4cf5ad432745937f) ^ h, 27UL) * 5 + 0x52dce729;
    }
    h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
    out[i] = h ^ h >> 33;
}

KERNEL random(ARGS)
{
    uint i = get_global_id(0);
    ulong s0 = in[i], s1 = in[i + 333], s2 = in[i + 666], s3 = key ^ i, r = 0;

    for (uint k = 0; k < 40; k++) {
        r += rotate(s1 * 5, 7UL) * 9;
        ulong t = s1 << 17;
        s2 ^= s0, s3 ^= s1, s1 ^= s2, s0 ^= s3, s2 ^= t, s3 = rotate(s3, 45UL);
    }
    out[i] = r;
}

// Put together of dwords that are none of a qword's.
KERNEL mixed(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i] ^ ((ulong)small[i] << 32 | small[i + 333]);
    uint low = (uint)a & small[i + 1], high = (uint)(a >> 32) ^ small[i + 2];

    out[i] = (((ulong)high << 32 | low) ^ in[i + 333]) + (a & ((ulong)small[i] << 20));
}

// Asked for in dwords, too.
KERNEL both(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i] ^ in[i + 333], b = a & in[i + 666];
    uint low = (uint)a * 3 + (uint)(b >> 32), high = (uint)(a >> 32) >> 3;

    out[i] = (a << 1) + (b >> 1) + low + ((ulong)high << 9) + (popcount((uint)b) ^ a);
}

// Low dwords of one, high ones of the other.
KERNEL halves(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333];
    ulong c = (a & 0xffffffff) | (b & 0xffffffff00000000), d = a >> 32 | b << 32;

    out[i] = (c << 1) + (d >> 1) + (c ^ d) + (((c & d) | (ulong)(uint)c) << 3);
}

#ifdef DOUBLES
#define AS_DOUBLE(x) as_double(x)
#else
#define AS_DOUBLE(x) as_long(x)
#endif

// Of doubles, where there are any.
KERNEL bits(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i] & 0x800fffffffffffff | 0x3ff0000000000000, b = a ^ 0x8000000000000000;

    out[i] = (a << 1) + as_ulong(small[i] & 1 ? AS_DOUBLE(a) : AS_DOUBLE(b)) + (b >> 1);
}

KERNEL swapped(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[332 - i];
    uint2 c = as_uint2(a).yx ^ as_uint2(b);

    out[i] = (as_ulong(c) << 1) + (rotate(a ^ b, 32UL) >> 1) + as_ulong(as_uint2(a & b).yx);
}

KERNEL uniform(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], k = key;

    for (uint n = 0; n < 4; n++) {
        a = ((a ^ k) << 1) + (a & (k | 0xff)) + k;
        k = k * 0x5851f42d4c957f2d + 1;
    }
    out[i] = a;
}

// Of bytes and words that are made longer.
KERNEL longer(ARGS)
{
    uint i = get_global_id(0);
    global const uchar *bytes = (global const uchar *)small;
    ulong a = 0;
    long b = (int)small[i];

    for (uint k = 0; k < 8; k++)
        a |= (ulong)bytes[8 * i + k] << 8 * k;
    out[i] = (a ^ (ulong)b) + ((a & b) << 1) + ((long)(short)small[i] | (b & 0xff));
}

// A chain that is longer than what is followed back at a time.
KERNEL unrolled(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333], r = key;

    __attribute__((opencl_unroll_hint(50)))
    for (uint k = 0; k < 50; k++) {
        ulong t = a ^ (a << 23);
        a = b;
        b = t ^ b ^ (t >> 17) ^ (b >> 26);
        r ^= (a & b) + (r | a);
    }
    out[i] = r;
}

kernel __attribute__((intel_reqd_sub_group_size(16))) void few(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333];

    for (uint k = 0; k < (small[i] & 7); k++)
        a = (a ^ b) * 0x9e3779b97f4a7c15 & ~(b << k);
    out[i] = a;
}

// In a vector, and in an array of the work-item's own.
KERNEL bare(ARGS)
{
    uint i = get_global_id(0);
    ulong4 a = vload4(i % 83, in);
    ulong all[4] = {a.x & a.y, a.y | a.z, a.z ^ a.w, ~a.w};

    for (uint k = 0; k < 9; k++)
        all[k & 3] = (all[k & 3] ^ all[small[i + k] & 3]) * 3 + (key & k);
    out[i] = all[0] ^ all[1] ^ all[2] ^ all[3];
}

// The low dword is an operation's, and the high one comes later, out of a loop.
kernel __attribute__((intel_reqd_sub_group_size(16))) void late(ARGS)
{
    uint i = get_global_id(0);
    ulong a = in[i], b = in[i + 333], c = in[i + 666];
    uint low = (uint)(a & b) | (uint)c, high = small[i + 3];

    for (uint k = 0; k < (small[0] & 7); k++)
        high = high * 5 + k;
    out[i] = ((ulong)high << 32 | low) >> (small[i] & 7);
}
