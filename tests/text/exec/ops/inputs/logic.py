# SPDX-License-Identifier: MIT
"""Trees of AND, OR, XOR and NOT, some of their values used several times: logic.py
SCRATCH-FOLDER VISAGE...

Kernels are made at random and compiled; what they write is worked out here."""

import os
import random
import struct
import subprocess
import sys

FOLDER, *VISAGE = sys.argv[1:]
SIZE, INPUTS, STEPS, OUTPUTS = 64, 5, 60, 6
TYPES = {"uint": ("I", 32), "ulong": ("Q", 64)}


def body(draw):
    """Lines `name = expression`, of names before."""
    names = [f"in{i}" for i in range(INPUTS)]
    lines = []
    for step in range(STEPS):
        # Mostly what is new, so that trees grow.
        a, b = (draw.choice(names[-6:] if draw.random() < 0.8 else names) for _ in range(2))
        if draw.random() < 0.3:
            b = draw.choice(names[:INPUTS])
        text = draw.choice((f"{a} & {b}", f"{a} | {b}", f"{a} ^ {b}", f"~{a}", f"{a} & ~{b}",
                            f"({a} & {b}) | (~{a} & {draw.choice(names)})"))
        lines.append((f"t{step}", text))
        names.append(f"t{step}")
    return lines


def kernel(name, of, lines):
    text = f"kernel void {name}(global {of} *out, global const {of} *in)\n{{\n"
    text += "    size_t i = get_global_id(0);\n"
    for i in range(INPUTS):
        text += f"    {of} in{i} = in[i + {i * SIZE}];\n"
    for to, expression in lines:
        text += f"    {of} {to} = {expression};\n"
    for i in range(OUTPUTS):
        text += f"    out[i + {i * SIZE}] = t{STEPS - 1 - i};\n"
    return text + "}\n"


def expected(lines, inputs, bits):
    out = [[] for _ in range(OUTPUTS)]
    for item in range(SIZE):
        values = {f"in{i}": inputs[i * SIZE + item] for i in range(INPUTS)}
        for to, expression in lines:
            values[to] = eval(expression, {}, values) & (1 << bits) - 1
        for i, row in enumerate(out):
            row.append(values[f"t{STEPS - 1 - i}"])
    return [x for row in out for x in row]


def main():
    draw = random.Random(1)
    kernels = [(f"{of}_{n}", of, body(draw)) for of in TYPES for n in range(12)]
    with open(os.path.join(FOLDER, "logic.cl"), "w", encoding="ascii") as file:
        file.write("\n".join(kernel(*k) for k in kernels))
    count = 0
    for device in ("pvc", "dg2"):
        name = f"logic.{device}.zebin"
        subprocess.run(["ocloc", "compile", "-q", "-file", "logic.cl", "-device", device, "--format",
                        "zebin", "-output", name, "-output_no_suffix", "-internal_options",
                        "-ze-emit-zebin-visa-sections"],
                       cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
        for kernel_name, of, lines in kernels:
            letter, bits = TYPES[of]
            inputs = [draw.getrandbits(bits) for _ in range(INPUTS * SIZE)]
            source, path = (os.path.join(FOLDER, n) for n in ("logic.in", "logic.out"))
            with open(source, "wb") as file:
                file.write(struct.pack(f"<{len(inputs)}{letter}", *inputs))
            subprocess.run([*VISAGE, "run", os.path.join(FOLDER, name), kernel_name, "-g", str(SIZE),
                            "-l", str(SIZE), "--engine", "jit", "-a",
                            f"buf:u{bits}:{SIZE * OUTPUTS}:zero:out={path}",
                            "-a", f"buf:u{bits}:@{source}"], check=True)
            with open(path, "rb") as file:
                got = list(struct.unpack(f"<{SIZE * OUTPUTS}{letter}", file.read()))
            if got != expected(lines, inputs, bits):
                sys.exit(f"{kernel_name} on {device} is wrong")
            count += 1
    print(f"{count} kernels as they should be")


main()
