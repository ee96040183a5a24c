#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a kernel as one of Oclgrind's .sim files says, on the first OpenCL device there is.

    scripts/run-sim.py FILE.sim

The file names a source, a kernel, the range and the group, and then each argument: `<size=16
range=0:1:3 dump>`, a type where the kernel does not tell it, and numbers. FILE.ref says what is
printed and what the arguments marked `dump` hold then: lines of EXACT or MATCH. Exits 77 where
it says something else (errors that Oclgrind reports), or the file needs Oclgrind's debugger.
Source: Oclgrind, src/kernel/Simulation.cpp and tests/run_test.py.
"""

import os
import re
import subprocess
import sys

TYPES = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4",
         "long": "i8", "ulong": "u8", "float": "f4", "double": "f8", "void": "u1"}
SKIP = 77


def read_sim(path):
    """The file's words, with an argument's header as one word; and the words of `# ARGS:`."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    args = re.match(r"# ARGS: (.*)", text)
    text = re.sub(r"#.*", "", text)
    return re.findall(r"<[^>]*>|\S+", text), args.group(1).split() if args else []


def expected_lines(path):
    """Pairs of EXACT or MATCH and the text; None: the values are not what the test is about."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = [(line[:5], line[6:]) for line in file.read().split("\n") if line.strip()]
    return lines if all(kind in ("EXACT", "MATCH") for kind, _ in lines) else None


def number(word, kind, is_hex):
    if kind.startswith("f"):
        return float(word)
    return int(word, 16 if is_hex or word.lower().startswith("0x") else 10)


class Argument:
    """What a header says, and the contents."""

    def __init__(self, header, type_name):
        self.options = dict((word + "=").split("=")[:2] for word in header[1:-1].split())
        self.size = int(self.options.get("size", 0))
        given = [name for name in TYPES if name in self.options]
        base = re.match(r"[a-z]+", type_name)
        self.kind = TYPES[given[0] if given else base.group(0)] if given or base and \
            base.group(0) in TYPES else "u1"
        self.is_hex = "hex" in self.options
        self.count = self.size // int(self.kind[1:])

    def contents(self, words, numpy):
        """Takes the numbers that follow the header, where it does not say what they are."""
        if "fill" in self.options:
            numbers = [number(self.options["fill"], self.kind, self.is_hex)] * self.count
        elif "range" in self.options:
            first, step, _ = [number(word, self.kind, self.is_hex)
                              for word in self.options["range"].split(":")]
            numbers = [first + i * step for i in range(self.count)]
        elif "noinit" in self.options:
            numbers = [0] * self.count
        else:
            numbers = [number(words.pop(0), self.kind, self.is_hex) for _ in range(self.count)]
        bits = 8 * int(self.kind[1:])
        if self.kind[0] == "i":
            numbers = [(n + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)) for n in numbers]
        return numpy.array(numbers, dtype=self.kind)

    def show(self, value):
        if self.is_hex:
            width = 2 * int(self.kind[1:])
            return f"0x{int(value) & ((1 << 4 * width) - 1):0{width}x}"
        return f"{value:g}" if self.kind[0] == "f" else str(value)


def execute(path):
    """Runs the kernel and prints what is marked `dump`, as Oclgrind does."""
    import numpy
    import pyopencl as cl

    words, args = read_sim(path)
    os.chdir(os.path.dirname(path))
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context)
    source, name = words.pop(0), words.pop(0)
    sizes = [int(words.pop(0)) for _ in range(6)]
    options = [args[i + 1] for i, word in enumerate(args) if word == "--build-options"]
    with open(source, encoding="utf-8") as file:
        program = cl.Program(context, file.read())
    program.build(options=options + ["-cl-kernel-arg-info"])
    kernel = cl.Kernel(program, name)
    address = cl.kernel_arg_address_qualifier
    shown = []
    for index in range(kernel.num_args):
        place = kernel.get_arg_info(index, cl.kernel_arg_info.ADDRESS_QUALIFIER)
        type_name = kernel.get_arg_info(index, cl.kernel_arg_info.TYPE_NAME)
        argument = Argument(words.pop(0), type_name)
        if place == address.LOCAL:
            kernel.set_arg(index, cl.LocalMemory(argument.size))
        elif argument.size == 0: # `null`, or a buffer of nothing
            kernel.set_arg(index, None)
        elif place == address.PRIVATE:
            kernel.set_arg(index, argument.contents(words, numpy).tobytes())
        else:
            flags = cl.mem_flags.COPY_HOST_PTR | cl.mem_flags.READ_WRITE
            data = argument.contents(words, numpy)
            buffer = cl.Buffer(context, flags, hostbuf=data)
            kernel.set_arg(index, buffer)
            shown.append((argument, kernel.get_arg_info(index, cl.kernel_arg_info.NAME), buffer,
                          data))
    if words:
        sys.exit(f"{path}: what is {words[0]}?")
    cl.enqueue_nd_range_kernel(queue, kernel, sizes[:3], sizes[3:]).wait()
    sys.stdout.flush()
    for argument, label, buffer, data in shown:
        cl.enqueue_copy(queue, data, buffer)
        if "dump" in argument.options:
            print(f"Argument '{label}': {argument.size} bytes")
            for i, value in enumerate(data):
                print(f"  {label}[{i}] = {argument.show(value)}")
    sys.stdout.flush()


def compare(wanted, found):
    """What is wrong with the lines found, "" where each is as wanted and there are as many."""
    found = [line for line in found.split("\n") if line.strip()]
    for i, (kind, text) in enumerate(wanted):
        line = found[i] if i < len(found) else ""
        if line != text if kind == "EXACT" else text not in line:
            return f"expected {text!r}, found {line!r}"
    return "" if len(found) == len(wanted) else f"unexpected: {found[len(wanted)]!r}"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--execute":
        execute(os.path.abspath(sys.argv[2]))
        return 0
    path = sys.argv[1]
    wanted = expected_lines(path[:-4] + ".ref")
    if wanted is None or "-i" in read_sim(path)[1]:
        return SKIP
    # What the kernel prints goes to the process's standard output, past Python's.
    done = subprocess.run([sys.executable, __file__, "--execute", path], stdout=subprocess.PIPE,
                          text=True)
    wrong = f"exit status {done.returncode}" if done.returncode else compare(wanted, done.stdout)
    if wrong:
        print(f"{path}: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
