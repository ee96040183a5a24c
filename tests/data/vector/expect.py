#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Expected results of the vector-backend kernels, worked out from the meaning of the intrinsics.

Run without arguments: writes src/NAME.json for every kernel below, beside this file. With --check: compares instead.
Plain Python 3, nothing else. Nothing here runs or imports a compiler, an assembler or an executor.
"""
import json
import os
import struct
import sys

KERNELS = {}
SIZE = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
CODE = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def kernel(function):
    KERNELS[function.__name__[2:]] = function
    return function


def pack(elem, values):
    """Little-endian bytes of the values, each reduced to the element's width."""
    mask = (1 << 8 * SIZE[elem]) - 1
    return b"".join(struct.pack("<" + CODE[elem], v & mask) for v in values)


def unpack(elem, data):
    return [v[0] for v in struct.iter_unpack("<" + CODE[elem], bytes(data))]


def sx(value, bits):
    """Sign-extends the low bits of a value."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def clamp(value, low, high):
    return low if value < low else high if value > high else value


def rnd(count, seed, bits=32):
    """Deterministic data: a 64-bit linear congruential generator, top bits."""
    state, out = seed * 2654435761 + 12345, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & M64
        out.append(state >> (64 - bits))
    return out


def f32(value):
    """Bits of a number rounded to single precision (nearest even)."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


def from_f32(bits):
    return struct.unpack("<f", struct.pack("<I", bits & M32))[0]


def f16(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def from_f16(bits):
    return struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0]


def f64(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def buf(elem, values, surface=False, **more):
    mask = (1 << 8 * SIZE[elem]) - 1
    init = [v & mask for v in values]
    if elem == "u64":  # written as signed numbers: JSON readers seldom have unsigned ones of 64 bits
        init = [sx(v, 64) for v in init]
    arg = {"type": "buf", "elem": elem, "init": init}
    if surface:
        arg["surface"] = True
    arg.update(more)
    return arg


def out(elem, count, surface=False):
    """A result buffer, filled with a pattern that shows where nothing was written."""
    return buf(elem, [0xEEEEEEEEEEEEEEEE] * count, surface)


def image(elem, values, width, height, texel):
    """A 2-D image, rows tightly packed; width and height in texels."""
    arg = buf(elem, values)
    arg.update(type="image2d", width=width, height=height, format=texel, surface=True)
    return arg


def u32(value):
    return {"type": "u32", "value": value & M32}


def mem(arg):
    """A writable copy of an argument's first contents."""
    return bytearray(pack(arg["elem"], arg["init"]))


def get(data, offset, elem="u32"):
    return struct.unpack_from("<" + CODE[elem], data, offset)[0]


def put(data, offset, values, elem="u32"):
    raw = pack(elem, values if isinstance(values, (list, tuple)) else [values])
    assert 0 <= offset and offset + len(raw) <= len(data)
    data[offset:offset + len(raw)] = raw


def case(args, expect, groups=(1, 1, 1), threads=(1, 1, 1), **more):
    result = {"args": args, "groups": list(groups), "threads": list(threads)}
    result.update(more)
    result["expect"] = {str(i): bytes(d).hex() for i, d in sorted(expect.items())}
    return result


def atomic(op, old, src, compare=None, bits=32):
    """New memory contents of an integer atomic."""
    mask = (1 << bits) - 1
    if op in ("add", "iadd"):
        return (old + src) & mask
    if op in ("sub", "isub"):
        return (old - src) & mask
    if op in ("min", "umin"):
        return min(old, src)
    if op in ("max", "umax"):
        return max(old, src)
    if op in ("imin", "smin"):
        return min(sx(old, bits), sx(src, bits)) & mask
    if op in ("imax", "smax"):
        return max(sx(old, bits), sx(src, bits)) & mask
    if op == "and":
        return old & src
    if op == "or":
        return old | src
    if op == "xor":
        return old ^ src
    if op in ("xchg", "store"):
        return src
    if op in ("inc", "iinc"):
        return (old + 1) & mask
    if op in ("dec", "idec"):
        return (old - 1) & mask
    if op == "cas":
        return src if old == compare else old
    assert op == "load"
    return old


# ---- kernels


@kernel
def k_region_transpose():
    src, dst = buf("u32", rnd(64, 1)), out("u32", 64)
    v = src["init"]
    t = [v[8 * r + c] for c in range(8) for r in range(8)]
    block = [v[9 + 16 * row + 2 * col] for row in range(2) for col in range(4)]
    for i, b in enumerate(block):
        t[32 + 8 * (i // 4) + 2 * (i % 4)] = b
    return case([src, dst], {1: pack("u32", t)})


@kernel
def k_indirect_lookup():
    table, idx = buf("u32", rnd(32, 3)), buf("u32", rnd(16, 4))
    dst, dst2 = out("u32", 16), buf("u32", rnd(32, 5))
    t, x = table["init"], idx["init"]
    o = []
    for i in range(8):
        o += [t[x[i] & 15], t[(x[i] & 15) + 16]]
    w = list(dst2["init"])
    for j in range(4):
        at = ((x[8 + j] & 3) * 16 + 64 * (j & 1)) // 4
        w[at:at + 4] = t[4 * j + 2:4 * j + 6]
    return case([table, idx, dst, dst2], {2: pack("u32", o), 3: pack("u32", w)})


@kernel
def k_svm_gather_dword():
    src = buf("u32", rnd(64, 10))
    index = [k % 63 for k in rnd(16, 11, 16)]
    idx, dst = buf("u32", index), out("u32", 48)
    s = src["init"]
    g = [s[k] if k & 1 else k + 1000 for k in index]
    pairs = [s[k + j] for j in range(2) for k in index[:8]]
    last = [0] * 16
    for i in range(16):
        last[i * 5 % 16] = g[i] * 3
    return case([src, idx, dst], {2: pack("u32", g + pairs + last)})


@kernel
def k_svm_gather4():
    src, dst = buf("u32", rnd(32, 14)), out("u32", 32)
    s, d = src["init"], mem(dst)
    for i in range(8):
        if i % 3:
            for c in range(4):
                put(d, 16 * i + 4 * c, ~s[4 * ((3 * i + 1) % 8) + c])
    return case([src, dst], {1: d})


@kernel
def k_oword_surface():
    s, d, ofs = buf("u32", rnd(32, 16), True), out("u32", 32, True), 6
    v, o = s["init"], mem(d)
    r = [v[8 + i] + v[5 + i % 8] for i in range(16)]
    put(o, 16, r)
    put(o, 16 * ofs, r[12:16])
    return case([s, d, u32(ofs)], {1: o})


@kernel
def k_gather_scaled_surface():
    s, d = buf("u32", rnd(32, 17), True), out("u32", 48, True)
    m, o = mem(s), mem(d)
    u = []
    for i in range(16):
        g = get(m, 16 + 4 * ((i * 7 + 2) % 16)) + get(m, i * 5, "u8")
        u.append((g & M32) ^ get(m, 2 + 4 * i, "u16"))
    for i in range(16):
        if i not in (2, 9):
            put(o, 4 * (15 - i), u[i])
        put(o, 64 + 3 * i, u[i], "u8")
        if i not in (2, 9):
            put(o, 128 + 2 * (i ^ 1), u[i], "u16")
    return case([s, d], {1: o})


@kernel
def k_gather4_surface():
    s, d = buf("u32", rnd(64, 19), True), out("u32", 32, True)
    v, o = s["init"], mem(d)
    for i in range(16):
        c = v[4 * (i * 3 % 16):][:4]
        q = c[0] * c[1] + c[2]
        put(o, 8 * i, [q - c[3], q])
    return case([s, d], {1: o})


@kernel
def k_media_walker():
    s = image("u8", rnd(512, 20, 8), 64, 8, "R8_UINT")
    d = image("u8", [0] * 512, 64, 8, "R8_UINT")
    return case([s, d], {1: pack("u8", [~v for v in s["init"]])}, (4, 2, 1), space=[4, 2],
                note="a 4 x 2 media space, one group a place: %thread_x, %thread_y equal the group ids x, y "
                     "(the text reads the former before xe_hp_sdv, the latter from there on)")


def atomic_table(ops, width, cas_constant, cas_swapped, in_seed, elem="u32"):
    """Rows of width cells, one row an operation; returns (in, mem, out) arguments and the two results.

    cas_swapped: the source operand is the new value and the constant the value compared with (dword and svm
    atomics); otherwise the source operand is compared with and the constant is the new value (lsc atomics)."""
    bits = 8 * SIZE[elem]
    x = rnd(width, in_seed, bits)
    cells = rnd(width * len(ops), in_seed + 1, bits)
    results, after = [], list(cells)
    for j, op in enumerate(ops):
        for i in range(width):
            k = width * j + i
            if op in ("cmpxchg", "icas"):
                compare, new = (cas_constant(i), x[i]) if cas_swapped else (x[i], cas_constant(i))
                if i % 3 != 1:
                    cells[k] = compare
                after[k] = atomic("cas", cells[k], new, compare, bits)
            else:
                after[k] = atomic(op, cells[k], x[i], None, bits)
    return x, cells, after


def float_atomic(op, old, src, compare=None):
    a, b = from_f32(old), from_f32(src)
    if op == "fadd":
        return f32(a + b)
    if op == "fsub":
        return f32(a - b)
    if op == "fmin":
        return f32(min(a, b))
    if op == "fmax":
        return f32(max(a, b))
    return src if old == compare else old


@kernel
def k_dword_atomic_float():
    x = [f32(v) for v in (1.5, -2.0, 3.25, 100.0, -0.5, 8.0, 1e6, -7.0)]
    cells = [f32(v) for v in (2.0, -3.0, 3.0, 101.0, 0.25, 7.75, -1e6, -7.5)] * 2
    cells += [f32(v) for v in (7.0, 1.0, 7.0, 7.0, -7.0, 0.5, 7.0, 100.0)]
    after = [float_atomic("fmin", cells[i], x[i]) for i in range(8)]
    after += [float_atomic("fmax", cells[8 + i], x[i]) for i in range(8)]
    after += [float_atomic("cas", cells[16 + i], x[i], f32(7.0)) for i in range(8)]
    args = [buf("u32", x, True), buf("u32", cells, True), out("u32", 24, True)]
    return case(args, {1: pack("u32", after), 2: pack("u32", cells)},
                note="vISA fcmpwr compares memory with its first source and writes the second; vISA cmpxchg the other way round")


@kernel
def k_svm_atomic_int():
    ops = ["add", "sub", "min", "max", "imin", "imax", "and", "or", "xor", "xchg"]
    x, cells, after = atomic_table(ops, 8, None, True, 25)
    shared = [10, 20, 30, 40, 1, 1000]
    shared_after = [12, 22, 32, 42, M32 - 2, 996]
    cas = [5000 + i if i != 5 else 9 for i in range(8)]
    cas_after = [x[i] if i != 5 else 9 for i in range(8)]
    args = [buf("u32", x), buf("u32", cells + shared + [0, 0] + cas), out("u32", 88)]
    return case(args, {1: pack("u32", after + shared_after + [0, 0] + cas_after), 2: pack("u32", cells + cas)})


@kernel
def k_lsc_vector():
    src, dst = buf("u32", rnd(64, 28)), out("u32", 64)
    s, d = src["init"], mem(dst)
    for i in range(16):
        v = s[4 * (5 * i % 16):][:4]
        s0 = (v[0] + v[1]) & M32
        s1 = s0 ^ v[2]
        put(d, 4 * i, v[3] if i & 1 else s1)
        put(d, 64 + 12 * i, [s0, s1, v[2]])
    return case([src, dst], {1: d})


@kernel
def k_lsc_simd8():
    src, dst = buf("u32", rnd(128, 29)), out("u32", 8)
    s, d = src["init"], mem(dst)
    for i in range(8):
        at = 2 * (3 * i % 8) + 2
        put(d, 4 * (i ^ 3), s[at] * s[at + 1])
    return case([src, dst], {1: d})


@kernel
def k_lsc_transposed():
    src, dst = buf("u32", rnd(48, 31)), out("u32", 48)
    s = src["init"]
    o = list(s[:16]) + [s[i] + s[32 + i] for i in range(16)] + s[32:48]
    return case([src, dst], {1: pack("u32", o)})


@kernel
def k_lsc_slm_reverse():
    groups, threads = 3, 4
    src, dst = buf("u32", rnd(16 * groups * threads, 33)), out("u32", 16 * groups * threads)
    s, o, n = src["init"], [], 16 * threads
    for g in range(groups):
        o += s[g * n:(g + 1) * n][::-1]
    return case([src, dst], {1: pack("u32", o)}, (groups, 1, 1), (threads, 1, 1), slm=1024)


@kernel
def k_slm_barrier():
    groups, threads = 2, 8
    src, dst = buf("u32", rnd(16 * groups * threads, 34)), out("u32", 16 * groups * threads)
    s, o = src["init"], []
    for g in range(groups):
        for t in range(threads):
            mine = s[16 * (g * threads + t):][:16]
            other = s[16 * (g * threads + (t + 1) % threads):][:16]
            o += [other[5 * i % 16] - mine[i] for i in range(16)]
    return case([src, dst], {1: pack("u32", o)}, (groups, 1, 1), (threads, 1, 1), slm=2048)


@kernel
def k_nbarrier():
    src, dst = buf("u32", rnd(64, 36)), out("u32", 64)
    s = src["init"]
    o = [s[16 * (t ^ 3) + i] for t in range(4) for i in range(16)]
    return case([src, dst], {1: pack("u32", o)}, (1, 1, 1), (4, 1, 1), slm=1024, named_barriers=2)


LSC_INT = ["iinc", "idec", "load", "iadd", "isub", "smin", "smax", "umin", "umax", "icas", "and", "or", "xor", "store"]


@kernel
def k_lsc_atomic_int():
    x, cells, after = atomic_table(LSC_INT, 16, lambda i: 900 + i, False, 37)
    args = [buf("u32", x), buf("u32", cells), out("u32", 16 * 14)]
    return case(args, {1: pack("u32", after), 2: pack("u32", cells[:16 * 13] + args[2]["init"][:16])})


def texel(data, width, height, pitch, x, y, elem):
    """One element of a 2-D surface; 0 outside it. width and pitch in bytes, x in elements."""
    at = x * SIZE[elem]
    return get(data, y * pitch + at, elem) if 0 <= at < width and 0 <= y < height else 0


@kernel
def k_lsc_block2d():
    width, height, pitch, x, y, x2, y2 = 80, 10, 96, 10, 5, 8, 1
    src, dst = buf("u32", rnd(pitch * height // 4, 41), align=64), buf("u32", [0xEEEEEEEE] * (pitch * height // 4), align=64)
    s, d = mem(src), mem(dst)
    for r in range(8):
        for c in range(16):
            if (x2 + c) * 4 < width and y2 + r < height:
                put(d, (y2 + r) * pitch + 4 * (x2 + c), ~texel(s, width, height, pitch, x + c, y + r, "u32"))
    args = [src, dst] + [u32(v) for v in (width - 1, height - 1, pitch - 1, x, y, x2, y2)]
    return case(args, {1: d})


@kernel
def k_lsc_block2d_vnni():
    width, height, pitch, x, y = 96, 24, 128, 8, 3
    src, dst = buf("u16", rnd(pitch * height // 2, 43, 16), align=64), out("u16", 256)
    s, o = mem(src), [0] * 256
    for r in range(16):
        for c in range(16):
            o[(r & ~1) * 16 + 2 * c + (r & 1)] = texel(s, width, height, pitch, x + c, y + r, "u16")
    return case([src, dst] + [u32(v) for v in (width - 1, height - 1, pitch - 1, x, y)], {1: pack("u16", o)})


def dpas(lanes, repeat, w, a, c, product):
    """d[r][n] = c[r][n] + the sum over depth 8 of product(w dword [s][n], a dword [r][s])."""
    return [c[r * lanes + n] + sum(product(w[s * lanes + n], a[r * 8 + s]) for s in range(8))
            for r in range(repeat) for n in range(lanes)]


def dot(bits, signed_w, signed_a):
    mask = (1 << bits) - 1

    def product(w, a):
        total = 0
        for k in range(0, 32, bits):
            x, y = w >> k & mask, a >> k & mask
            total += (sx(x, bits) if signed_w else x) * (sx(y, bits) if signed_a else y)
        return total
    return product


def dpas_case(lanes, repeat, product, seed):
    w, a, c = rnd(8 * lanes, seed), rnd(max(8 * repeat, 32), seed + 1), rnd(lanes * repeat, seed + 2)
    args = [buf("u32", w), buf("u32", a), buf("u32", c), out("u32", lanes * repeat)]
    return case(args, {3: pack("u32", dpas(lanes, repeat, w, a, c, product))})


@kernel
def k_dpas_s8_x16():
    return dpas_case(16, 8, dot(8, True, True), 50)


@kernel
def k_dpas_s4_x8():
    return dpas_case(8, 8, dot(4, True, True), 59)


def dpas_float(lanes, repeat, parts, encode, add, seed):
    """Small integers, so that every order of summation gives the same exact result. parts: elements a dword."""
    def small(count, s):
        return [v - 8 for v in rnd(count, s, 4)]

    def join(values):
        width = 32 // parts
        return [sum(encode(values[parts * i + k]) << width * k for k in range(parts)) for i in range(len(values) // parts)]
    w, a, c = small(8 * lanes * parts, seed), small(8 * repeat * parts, seed + 1), small(lanes * repeat, seed + 2)
    d = []
    for r in range(repeat):
        for n in range(lanes):
            total = c[r * lanes + n] if add else 0
            for s in range(8):
                for k in range(parts):
                    total += w[(s * lanes + n) * parts + k] * a[(r * 8 + s) * parts + k]
            d.append(f32(float(total)))
    args = [buf("u32", join(w)), buf("u32", join(a)), buf("u32", [f32(float(v)) for v in c]), out("u32", lanes * repeat)]
    return case(args, {3: pack("u32", d)})


@kernel
def k_dpas_bf_x16():
    return dpas_float(16, 8, 2, lambda v: f32(float(v)) >> 16, True, 62)


@kernel
def k_dp4a():
    a, b, c = rnd(16, 71), rnd(16, 72), rnd(16, 73)
    signed, unsigned = dot(8, True, True), dot(8, False, False)
    o = []
    for product in (signed, unsigned, unsigned, signed):
        o += [c[i] + product(a[i], b[i]) for i in range(16)]
    return case([buf("u32", a), buf("u32", b), buf("u32", c), out("u32", 64)], {3: pack("u32", o)},
                note="names: first letter the result's sign, second the operands'; order ss, uu, su, us")


@kernel
def k_bitfield():
    a, b, c = rnd(16, 74), rnd(16, 75), rnd(16, 76)
    bfi, sbfe, ubfe = [], [], []
    for x, y, w in zip(a, b, c):
        width, offset = (w & 15) + 1, w >> 8 & 15
        mask = (1 << width) - 1 << offset
        bfi.append(x << offset & mask | y & ~mask)
        ubfe.append(x >> offset & (1 << width) - 1)
        sbfe.append(sx(ubfe[-1], width))
    rev = [int(format(x, "032b")[::-1], 2) for x in a]
    ones = [bin(x).count("1") for x in a]
    return case([buf("u32", a), buf("u32", b), buf("u32", c), out("u32", 80)],
                {3: pack("u32", bfi + sbfe + ubfe + rev + ones)})


@kernel
def k_rotate():
    a, b = rnd(16, 78), rnd(16, 79)

    def rol(x, k, bits):
        k %= bits
        return (x << k | x >> bits - k) & (1 << bits) - 1
    o = [rol(x, k & 31, 32) for x, k in zip(a, b)] + [rol(x, 32 - (k & 31), 32) for x, k in zip(a, b)]
    o += [rol(x & 0xFFFF, k & 15, 16) for x, k in zip(a, b)]
    return case([buf("u32", a), buf("u32", b), out("u32", 48)], {2: pack("u32", o)})


@kernel
def k_int64():
    a, b = rnd(16, 82, 64), rnd(16, 83, 64)
    o = [x + y for x, y in zip(a, b)] + [x * y for x, y in zip(a, b)] + [x << (y & 63) for x, y in zip(a, b)]
    o += [sx(x, 64) >> (y & 63) for x, y in zip(a, b)] + [x >> (y & 63) for x, y in zip(a, b)]
    o += [x if sx(x, 64) < sx(y, 64) else y for x, y in zip(a, b)]
    return case([buf("u64", a), buf("u64", b), out("u64", 96)], {2: pack("u64", o)})


@kernel
def k_saturate_int():
    a = rnd(26, 84, 16) + [0x7FFF, 0x8000, 0xFFFF, 0, 40, 0xFFB0]
    b = rnd(26, 85, 16) + [0x7FFF, 0x8000, 0xFFFF, 0, 9, 0x0001]
    w = [sx(x, 16) * 3 for x in a]
    words = [clamp(sx(x, 16) + sx(y, 16), -32768, 32767) for x, y in zip(a, b)]
    words += [clamp(x + y, 0, 65535) for x, y in zip(a, b)]
    words += [clamp(sx(x, 16) + sx(y, 16), 0, 65535) for x, y in zip(a, b)]
    words += [clamp(v, -32768, 32767) for v in w]
    octets = [clamp(v, 0, 255) for v in w] + [clamp(v, -128, 127) for v in w] + [clamp(x, 0, 255) for x in a]
    return case([buf("u16", a), buf("u16", b), out("u8", 352)], {2: pack("u16", words) + pack("u8", octets)})


@kernel
def k_avg_minmax():
    a, b, c = rnd(16, 86), rnd(16, 87), rnd(16, 88)
    s = [(sx(x, 32), sx(y, 32)) for x, y in zip(a, b)]
    o = [x + y + 1 >> 1 for x, y in s] + [x + y + 1 >> 1 for x, y in zip(a, b)]
    o += [max(p) for p in s] + [max(p) for p in zip(a, b)] + [min(p) for p in s] + [min(p) for p in zip(a, b)]
    o += [(x >> 20) * (y >> 20) + z for (x, y), z in zip(s, c)] + [z - abs(x >> 20) for (x, y), z in zip(s, c)]
    return case([buf("u32", a), buf("u32", b), buf("u32", c), out("u32", 128)], {3: pack("u32", o)})


@kernel
def k_half_math():
    a = [f16((v - 128) / 8 + 0.0625) for v in rnd(16, 95, 8)]
    b = [f16((v - 128) / 16 + 0.03125) for v in rnd(16, 96, 8)]
    x, y = [from_f16(v) for v in a], [from_f16(v) for v in b]
    halves = [f16(p + q) for p, q in zip(x, y)] + [f16(p * q) for p, q in zip(x, y)] * 2
    halves += [f16(max(p, q)) for p, q in zip(x, y)] + [f16(-abs(q)) for q in y] + [f16(float(int(p))) for p in x]
    o = pack("u16", halves) + pack("u32", [f32(p * q) for p, q in zip(x, y)])
    return case([buf("u16", a), buf("u16", b), out("u8", 256)], {2: o})


def round_bits(bits, drop):
    """Rounds away the low bits of a float's pattern, to nearest even."""
    low, half = bits & (1 << drop) - 1, 1 << drop - 1
    bits >>= drop
    return bits + (low > half or low == half and bits & 1)


@kernel
def k_tf32_convert():
    a = [0x3F800000, 0xC0490FDB, 0x3F801000, 0x3F803000, 0x3F800FFF, 0x3F801001, 0x42F6E979, 0xC2F6E979] + \
        [f32((v - 2**15) / 77) for v in rnd(8, 98, 16)]
    return case([buf("u32", a), out("u32", 16)], {1: pack("u32", [round_bits(v, 13) << 13 for v in a])})


@kernel
def k_double_math():
    a, b = [(v - 2**19) / 64 for v in rnd(16, 102, 20)], [(v - 2**15) / 16 for v in rnd(16, 103, 16)]
    s, p = [x + y for x, y in zip(a, b)], [x * y for x, y in zip(a, b)]
    q = [x + y for x, y in zip(s, p)]
    o = pack("u64", map(f64, s)) + pack("u64", map(f64, p)) + pack("u64", map(f64, q)) + pack("u64", map(f64, map(max, a, b)))
    o += pack("u32", map(f32, q)) + pack("u32", map(int, a))
    return case([buf("u64", map(f64, a)), buf("u64", map(f64, b)), out("u8", 640)], {2: o})


@kernel
def k_simdcf_if():
    a, b = [sx(v, 20) for v in rnd(16, 106, 20)], [sx(v, 20) for v in rnd(16, 107, 20)]
    v, w = [], list(b)
    for i in range(16):
        if a[i] < b[i]:
            v.append(3 * a[i])
            if v[i] & 1:
                w[i] = b[i] + 100
        else:
            v.append(a[i] - b[i])
    return case([buf("u32", a), buf("u32", b), out("u32", 32)], {2: pack("u32", v + w)})


@kernel
def k_simdcf_chase():
    following = [0, 5, 9, 0, 7, 12, 3, 1, 2, 15, 4, 8, 0, 6, 13, 10]
    value, start, o = rnd(16, 108), [1, 14, 3, 9, 11, 6, 12, 7], []
    for k in start:
        total = 0
        while True:
            total += value[k]
            k = following[k]
            if k == 0:
                break
        o.append(total)
    table = [x for pair in zip(following, value) for x in pair]
    return case([buf("u32", table), buf("u32", start), out("u32", 8)], {2: pack("u32", o)})


@kernel
def k_any_all():
    a, b = [sx(v, 32) for v in rnd(16, 109)], [sx(v, 32) for v in rnd(16, 110)]
    a[4], a[11] = b[4], b[11]
    c = [x > y for x, y in zip(a, b)]
    dst = out("u32", 52)
    d = mem(dst)
    put(d, 0, [x + y if any(c) else x - y for x, y in zip(a, b)])
    put(d, 64, a if all(c) else b)
    if any(x == y for x, y in zip(a, b)):
        put(d, 128, [int(x == y) for x, y in zip(a, b)])
    put(d, 192, [sum(1 << i for i in range(16) if c[i]), 0, 0, 0])
    return case([buf("u32", a), buf("u32", b), dst], {2: d})


@kernel
def k_stack_call():
    a, b, k, n = rnd(16, 122), rnd(16, 123), 7, 11

    def fib(m):
        return m if m < 2 else fib(m - 1) * 3 & M32 ^ fib(m - 2)
    r = [x * k + y for x, y in zip(a, b)]
    r2 = [p * 5 + x & M32 for p, x in zip(r, a)]
    return case([buf("u32", a), buf("u32", b), out("u32", 32), u32(k), u32(n)], {2: pack("u32", r2 + [v ^ fib(n) for v in r2])})


@kernel
def k_packed_immediate():
    x, f = rnd(16, 128, 16), [3.0, -1.5, 8.0, 0.25, 100.0, 2.0, -64.0, 0.5]
    r0 = [v + i - 8 for i, v in enumerate(x)]
    r1 = [v * (i % 8) & 0xFFFF for i, v in enumerate(r0)]
    r2 = [v ^ 15 - i % 8 for i, v in enumerate(r1)]
    r3 = [v * k for v, k in zip(f, [1.0, -2.0, 0.5, 4.0] * 2)]
    r4 = [v + i + 1 for i, v in enumerate(r3)]
    o = pack("u16", r0 + r1 + r2) + pack("u32", map(f32, r3)) + pack("u32", map(f32, r4))
    return case([buf("u16", x), buf("u32", map(f32, f)), out("u8", 160)], {2: o})


@kernel
def k_ids():
    groups, size, rows = (3, 2, 2), (2, 3, 2), []
    for gz in range(groups[2]):
        for gy in range(groups[1]):
            for gx in range(groups[0]):
                for z in range(size[2]):
                    for y in range(size[1]):
                        for x in range(size[0]):
                            rows += [x, y, z, *size, *groups, gx, gy, gz, 0, 0, 0, 0]
    return case([out("u32", len(rows))], {0: pack("u32", rows)}, groups, size)


@kernel
def k_private_array():
    a = rnd(16, 129)
    return case([buf("u32", a), out("u32", 8)], {1: pack("u32", [(x & 63) ** 2 for x in a[:8]])})


@kernel
def k_raw_send():
    src, dst = buf("u32", rnd(16, 130)), out("u32", 16)
    return case([src, dst], {1: pack("u32", [src["init"][7 * i % 16] + 11 for i in range(16)])},
                note="ffid 15 is the untyped global port; descriptor 0x4100580: load d32 x1, 64-bit flat addresses; "
                     "0x4000584: store d32 x1")


@kernel
def k_typed_atomic():
    s = image("u32", rnd(32, 140), 8, 4, "R32_UINT")
    x, v, columns, row = rnd(8, 141), list(s["init"]), (3, 0, 6, 5, 1, 7, 2, 4), 1
    old = []
    for j, op in enumerate(("add", "imax", "xor")):
        for i, u in enumerate(columns):
            k = 8 * (row + j) + u
            old.append(v[k])
            v[k] = atomic(op, v[k], x[i])
    return case([s, buf("u32", x), out("u32", 24), u32(row)], {0: pack("u32", v), 2: pack("u32", old)})


@kernel
def k_sync_misc():
    a = rnd(16, 134)
    return case([buf("u32", a), out("u32", 16)], {1: pack("u32", a)})


@kernel
def k_lrp_line():
    x = [0.0, 0.25, 0.5, 0.75, 1.0, 0.125, 0.5, 0.25] * 2
    y, z = [float(v - 32) for v in rnd(16, 135, 6)], [float(v - 32) for v in rnd(16, 136, 6)]
    o = [q * p + r * (1.0 - p) for p, q, r in zip(x, y, z)] + [z[0] * p + z[3] for p in x]
    return case([buf("u32", map(f32, x)), buf("u32", map(f32, y)), buf("u32", map(f32, z)), out("u32", 32)],
                {3: pack("u32", [f32(v + 0.0) for v in o])}, note="line: element 0 of the first source times the second, plus element 3")


def layout(result):
    """JSON with one line for each argument and each expected buffer."""
    lines = []
    for key, value in result.items():
        if key == "args":
            text = "[\n" + ",\n".join("  " + json.dumps(a) for a in value) + "\n ]"
        elif key == "expect":
            text = "{\n" + ",\n".join("  " + json.dumps(i) + ": " + json.dumps(v) for i, v in value.items()) + "\n }"
        else:
            text = json.dumps(value)
        lines.append(" " + json.dumps(key) + ": " + text)
    return "{\n" + ",\n".join(lines) + "\n}"


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    devices = ["skl", "icllp", "tgllp", "xe_hp_sdv", "dg2", "pvc"]
    bad = 0
    for name, function in KERNELS.items():
        result = {"kernel": name}
        result["devices"] = [d for d in devices if os.path.exists(os.path.join(here, d, name + ".visaasm"))]
        result.update(function())
        text = layout(result)
        path = os.path.join(here, "src", name + ".json")
        if "--check" in sys.argv[1:]:
            if open(path).read() != text + "\n":
                print("differs:", name)
                bad = 1
        else:
            with open(path, "w") as stream:
                stream.write(text + "\n")
    return bad


if __name__ == "__main__":
    sys.exit(main())
