# SPDX-License-Identifier: MIT
"""How compile time grows with the kernel.

Kernels of one shape each, repeated: each text is four times as long as the one before. Time is
processor time of `visage compile` in whole, by its median over the rounds; what is told is how
many microseconds an instruction takes, and how often the last length but one's goes into the last's.
Text of up to 5,000 instructions is optimised, beyond that as little as can be: times fall there.

The environment's KERNELS has names of shapes, to measure no others.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

LENGTHS = (1000, 4000, 16000, 64000)
VECTORS = "I X T"  # of dwords; A: addresses of elements of IN

# What is repeated, of number {n}. W{n} is a variable of its own.
SHAPES = {
    "arithmetic": """mul (M1, 16) X(0,0)<1> X(0,0)<1;1,0> {odd}:ud
        xor (M1, 16) X(0,0)<1> X(0,0)<1;1,0> I(0,0)<1;1,0>""",
    "variables": """add (M1, 16) W{n}(0,0)<1> X(0,0)<1;1,0> {odd}:ud
        xor (M1, 16) X(0,0)<1> W{n}(0,0)<1;1,0> W{half}(0,0)<1;1,0>""",
    "scalars": """add (M1_NM, 1) S(0,0)<1> S(0,0)<0;1,0> {odd}:ud
        xor (M1_NM, 1) S(0,0)<1> S(0,0)<0;1,0> N(0,0)<0;1,0>""",
    "loads": """and (M1, 16) T(0,0)<1> X(0,0)<1;1,0> 60:ud
        add (M1, 16) A(0,0)<1> T(0,0)<1;1,0> IN(0,0)<0;1,0>
        lsc_load.ugm (M1, 16) W{n}:d32 flat[A]:a64
        add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> W{n}(0,0)<1;1,0>""",
    "stores": """add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> {odd}:ud
        lsc_store.ugm (M1, 16) flat[A]:a64 X:d32""",
    "shared": """and (M1, 16) T(0,0)<1> X(0,0)<1;1,0> 0xfc:ud
        lsc_load.slm (M1, 16) X:d32 flat[T]:a32
        lsc_store.slm (M1, 16) flat[T]:a32 I:d32""",
    "jumps": """cmp.lt (M1, 16) P1 X(0,0)<1;1,0> {odd}:ud
        (P1) goto (M1, 16) there{n}
        mul (M1, 16) W{n}(0,0)<1> X(0,0)<1;1,0> {odd}:ud
        there{n}:
        xor (M1, 16) X(0,0)<1> X(0,0)<1;1,0> W{half}(0,0)<1;1,0>""",
    "uniform-jumps": """cmp.lt (M1_NM, 1) P2 S(0,0)<0;1,0> {odd}:ud
        (P2) goto (M1, 1) there{n}
        mul (M1, 16) X(0,0)<1> X(0,0)<1;1,0> {odd}:ud
        there{n}:
        add (M1_NM, 1) S(0,0)<1> S(0,0)<0;1,0> 1:ud""",
    "loops": """mov (M1, 16) T(0,0)<1> 0:ud
        again{n}:
        add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> T(0,0)<1;1,0>
        add (M1, 16) T(0,0)<1> T(0,0)<1;1,0> 1:ud
        cmp.lt (M1, 16) P1 T(0,0)<1;1,0> I(0,0)<1;1,0>
        (P1) goto (M1, 16) again{n}
        behind{n}:""",
    "barriers": """barrier
        add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> {odd}:ud""",
}


def text(shape, length):
    """A kernel of about so many instructions."""
    body = [line.strip() for line in SHAPES[shape].splitlines()]
    copies = length // sum(not line.endswith(":") for line in body)
    vectors = VECTORS.split() + [f"W{n}" for n in range(copies)]
    yield '.version 4.1\n.kernel "k"'
    yield from (f".decl {v} v_type=G type=ud num_elts=16 align=GRF" for v in vectors)
    yield from (f".decl {v} v_type=G type=ud num_elts=1 align=dword" for v in "NS")
    yield from (f".decl {v} v_type=G type=uq num_elts=1 align=qword" for v in ("OUT", "IN"))
    yield ".decl A v_type=G type=uq num_elts=16 align=GRF"
    yield ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=1"
    yield ".input OUT offset=64 size=8\n.input IN offset=72 size=8\n.input N offset=80 size=4"
    yield ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n.kernel_attr BarrierCnt=1"
    yield '.function "main"\nmain:'
    yield "mov (M1_NM, 8) I(0,0)<1> 0x76543210:uv\nmov (M1_NM, 8) I(0,8)<1> 0xfedcba98:uv"
    yield "mov (M1, 16) X(0,0)<1> I(0,0)<1;1,0>\nmov (M1_NM, 1) S(0,0)<1> N(0,0)<0;1,0>"
    yield "mov (M1, 16) W0(0,0)<1> I(0,0)<1;1,0>\nshl (M1, 16) T(0,0)<1> I(0,0)<1;1,0> 2:ud"
    yield "add (M1, 16) A(0,0)<1> T(0,0)<1;1,0> IN(0,0)<0;1,0>"
    for n in range(copies):
        for line in body:
            line = line.format(n=n, half=n // 2, odd=2 * n + 3)
            yield line if line.endswith(":") else "    " + line
    yield "add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> S(0,0)<0;1,0>"
    yield "shl (M1, 16) T(0,0)<1> I(0,0)<1;1,0> 2:ud"
    yield "add (M1, 16) A(0,0)<1> T(0,0)<1;1,0> OUT(0,0)<0;1,0>"
    yield "lsc_store.ugm (M1, 16) flat[A]:a64 X:d32\nret (M1, 1)"


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(getattr(after, kind) - getattr(before, kind) for kind in ("ru_utime", "ru_stime"))


def measure(options):
    chosen = os.environ.get("KERNELS", "").split() or SHAPES
    results = {"lengths": LENGTHS, "shapes": []}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.visaasm")
        for shape in SHAPES:
            if shape not in chosen:
                continue
            row = {"shape": shape, "each": []}
            for length in LENGTHS:
                with open(path, "w", encoding="ascii") as file:
                    file.writelines(line + "\n" for line in text(shape, length))
                command = [os.path.join(options.build, "visage"), "compile", path, "--platform",
                           "pvc", "--emit", "obj", "-o", path + ".o"]
                took = statistics.median(seconds(command) for _ in range(options.rounds))
                row["each"].append(took / length)
            row["growth"] = row["each"][-1] / row["each"][-2]
            results["shapes"].append(row)
            if options.json == "-":
                print_row(row, sys.stderr)
    return results


def print_row(row, file):
    print(f"{row['shape']:16}" + "".join(f"{each * 1e6:10.0f}" for each in row["each"]) +
          f"{row['growth']:10.2f}", file=file, flush=True)


def show(results):
    print("growth: microseconds of processor time to compile an instruction of texts of so many;\n"
          "how much more of the longest than of the one before, which is compiled alike")
    print(f"{'shape':16}" + "".join(f"{length:10}" for length in results["lengths"]) +
          f"{'growth':>10}")
    for row in results["shapes"]:
        print_row(row, sys.stdout)
