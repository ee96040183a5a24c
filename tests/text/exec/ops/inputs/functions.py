# SPDX-License-Identifier: MIT
"""Functions of OpenCL C, as the compiler makes them: functions.py SCRATCH-FOLDER DEVICE VISAGE...

Both engines have the same results to the bit; a NaN is like any other one. Of some numbers it is
known what is right."""

import math
import os
import random
import struct
import subprocess
import sys

FOLDER, DEVICE, *VISAGE = sys.argv[1:]
COUNT = 96
AT_ONCE = 24
FORMATS = {"float": "f", "double": "d", "half": "e", "long": "q", "ulong": "Q", "int": "i",
           "short": "h", "uchar": "B"}
ONE = """acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt cos cosh cospi erf erfc exp exp10 expm1
lgamma log log10 log1p rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma""".split()
TWO = "atan2 fmod hypot nextafter pow a/b".split()
WHOLE_ONE = "abs clz popcount".split()
WHOLE = "abs_diff add_sat hadd mul_hi rhadd rotate sub_sat a/(b|1) a%(b|1)".split()


def call(function, count):
    if "(" in function or "/" in function:
        return function
    return f"{function}({', '.join('ab'[:count])})"


def kernels():
    """Type, what it makes of a and b."""
    floats = ["float", "half"] + ["double"] * (DEVICE in ("pvc", "skl"))
    for kind in floats:
        for function in ONE:
            yield kind, call(function, 1)
        for function in TWO:
            yield kind, call(function, 2)
        yield kind, "convert_{}(a * 1000) - b"
    for kind in ("long", "ulong", "short", "uchar"):
        for function in WHOLE_ONE:
            if function != "abs" or kind.startswith("u"):
                yield kind, call(function, 1)
        for function in WHOLE:
            if function != "abs_diff" or kind.startswith("u"):
                yield kind, call(function, 2)


def numbers(kind):
    """Common ones, special ones, and any bits."""
    bits = 8 * struct.calcsize(FORMATS[kind])
    out = bytearray()
    for i in range(COUNT):
        if i % 3 == 0 or kind not in ("float", "double", "half"):
            out += random.getrandbits(bits).to_bytes(bits // 8, "little")
        else:
            value = random.choice((random.uniform(-1, 1), random.uniform(-90, 90),
                                   float(random.randint(-3, 3)), random.uniform(0, 5e4)))
            out += struct.pack("<" + FORMATS[kind], value)
    return bytes(out)


def launch(zebin, engine, name, kind):
    path = os.path.join(FOLDER, engine)
    size = struct.calcsize(FORMATS[kind])
    subprocess.run([*VISAGE, "run", zebin, name, "-g", str(COUNT), "-l", "32", "--engine", engine,
                    "-a", f"buf:u8:{COUNT * size}:zero:out={path}",
                    "-a", f"buf:u8:@{FOLDER}/{kind}.0", "-a", f"buf:u8:@{FOLDER}/{kind}.1"],
                   check=True)
    with open(path, "rb") as file:
        return struct.unpack(f"<{COUNT}{FORMATS[kind]}", file.read())


def bits_of(kind, values):
    return [None if value != value else struct.pack("<" + FORMATS[kind], value)
            for value in values]


def check_known(kind, expression, found):
    """Against Python, where all are within what the specification allows."""
    known = {"sqrt(a)": math.sqrt, "rint(a)": round, "cos(a)": math.cos, "exp(a)": math.exp}
    if kind == "half" or expression not in known:
        return
    with open(os.path.join(FOLDER, f"{kind}.0"), "rb") as file:
        values = struct.unpack(f"<{COUNT}{FORMATS[kind]}", file.read())
    for value, result in zip(values, found):
        if 0 < value < 80 and abs(result - known[expression](value)) > 1e-5 * abs(result) + 1e-6:
            sys.exit(f"{expression} of {kind} {value} is {result}")


def compile_some(rows):
    """A zebin of them: each run reads all of its file."""
    lines = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable"]
    for i, (kind, expression) in rows:
        lines.append(f"kernel void f{i}(global {kind} *out, global const {kind} *as, "
                     f"global const {kind} *bs)\n{{ size_t i = get_global_id(0); "
                     f"{kind} a = as[i], b = bs[i]; out[i] = {expression.format('int')}; }}")
    with open(os.path.join(FOLDER, "functions.cl"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    subprocess.run(["ocloc", "compile", "-q", "-file", "functions.cl", "-device", DEVICE, "--format",
                    "zebin", "-output", "functions", "-output_no_suffix", "-options",
                    "-cl-std=CL2.0", "-internal_options", "-ze-emit-zebin-visa-sections"],
                   cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    return os.path.join(FOLDER, "functions")


def main():
    random.seed(7)
    rows = list(enumerate(kernels()))
    for kind in {kind for _, (kind, _) in rows}:
        for i in range(2):
            with open(os.path.join(FOLDER, f"{kind}.{i}"), "wb") as file:
                file.write(numbers(kind))
    for some in (rows[at:at + AT_ONCE] for at in range(0, len(rows), AT_ONCE)):
        zebin = compile_some(some)
        for i, (kind, expression) in some:
            jit, interp = (launch(zebin, engine, f"f{i}", kind) for engine in ("jit", "interp"))
            if bits_of(kind, jit) != bits_of(kind, interp):
                sys.exit(f"{expression} of {kind}: {jit} {interp}")
            check_known(kind, expression, jit)
    print(len(rows), "functions as they should be")


main()
