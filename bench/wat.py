# SPDX-License-Identifier: MIT
"""Makes WebAssembly text: functions with a mixture of instructions as compilers write it."""

import random

HEAD = ("(module\n"
        "  (type (func (param i32 i32 i64 f32) (result i32)))\n"
        "  (memory 16)\n")
NUM_FUNCTIONS = 200  # different ones, repeated
NUM_STATEMENTS = 40  # of a function
DEEPEST = 4


def load(rng):
    return [f"local.get {rng.randrange(2)}", f"i32.load offset={rng.randrange(256) * 4}",
            f"i32.const {rng.randrange(100000)}",
            rng.choice(("i32.add", "i32.sub", "i32.mul", "i32.xor", "i32.and", "i32.shl")),
            "local.set 4"]


def store(rng):
    return ["local.get 1", "local.get 4", f"i32.store offset={rng.randrange(256) * 4}"]


def real(rng):
    return ["local.get 3", f"f32.const 0x1.{rng.randrange(1 << 19) * 2:05x}p+{rng.randrange(8)}",
            rng.choice(("f32.mul", "f32.add", "f32.div")), "local.set 6"]


def wide(rng):
    return ["local.get 2", f"i64.const {rng.randrange(1 << 40)}",
            rng.choice(("i64.add", "i64.and", "i64.rotl")), "local.set 5"]


def call(rng):
    return ["local.get 0", "local.get 1", "local.get 2", "local.get 3",
            f"call {rng.randrange(NUM_FUNCTIONS)}", "local.set 4"]


SIMPLE = (load, load, load, store, store, real, wide, call)


def statement(rng, depth):
    kind = rng.randrange(10)
    if kind < 8 or depth == DEEPEST:
        return rng.choice(SIMPLE)(rng)
    inner = [line for _ in range(3) for line in statement(rng, depth + 1)]
    if kind == 8:
        return ["block", *inner, "local.get 4", "br_if 0", "end"]
    return ["local.get 4", "if", *inner, "end"]


def function(rng):
    lines = ["(func (type 0)", "(local i32 i64 f32 f64)"]
    for _ in range(NUM_STATEMENTS):
        lines += statement(rng, 0)
    return "  " + "\n    ".join([*lines, "local.get 4)"]) + "\n"


def make(path, size_bytes):
    """Writes a module of so many bytes, or a little more, at a path."""
    rng = random.Random(1)
    functions = [function(rng) for _ in range(NUM_FUNCTIONS)]
    written = 0
    with open(path, "w", encoding="ascii") as file:
        file.write(HEAD)
        while written < size_bytes:
            written += sum(file.write(text) for text in functions)
        file.write(")\n")
