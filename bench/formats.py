# SPDX-License-Identifier: MIT
"""Reading and writing of text and binaries, beside WABT's tools for WebAssembly.

Both do the same work: text to binary is reading the text, with all its checks, and writing the
binary; binary to text is reading the binary and printing it. What differs is the language, so the
speed is told twice: in MB of text that was read or printed, and in MB of the binary. MB are 10^6
bytes. All times are CPU time, user and system, of one thread; the outputs are thrown away. A round
measures everything once, visage and WABT in turn; speeds and ratios are medians over the rounds.

visage reads and prints the kernels of the corpus one after the other, again and again until 64 MiB
of text have passed. WABT has one module of that size, of functions with a mixture of instructions,
spelled as wasm2wat spells it. A second run of visage, `objects`, has hundreds of kernels in each
object, so that it is seen what large objects cost.
"""

import glob
import json
import os
import statistics
import subprocess
import sys

import wat

BYTES = 64 << 20
UNITS = 400  # kernels of an object in the second run; a binary may have 512
MB = 1e6


class Formats:
    """The program bench_formats, which waits for a line before each round."""

    def __init__(self, build, files, units):
        program = os.path.join(build, "bench_formats")
        command = [program, f"--bytes={BYTES}", f"--units={units}", *files]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.sizes = self.line()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench_formats has ended with status {self.process.wait()}")
        return json.loads(line)

    def round(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.line()

    def close(self):
        self.process.communicate()


def cpu_seconds(*command):
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} has ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def make_wasm(folder):
    """A module as binary and as text, and their paths."""
    made, binary, text = (os.path.join(folder, name)
                          for name in ("made.wat", "bench.wasm", "bench.wat"))
    os.makedirs(folder, exist_ok=True)
    wat.make(made, BYTES)
    cpu_seconds("wat2wasm", made, "-o", binary)
    cpu_seconds("wasm2wat", binary, "-o", text)
    os.remove(made)
    return binary, text


def corpus_files(options):
    folders = [options.corpus] if options.corpus else [os.path.join(options.data, name)
                                                       for name in ("text", "binary")]
    files = []
    for folder in folders:
        files += glob.glob(os.path.join(folder, "**", "*.visaasm"), recursive=True)
    # Listings of binaries whose instructions are lost are no text that can be read.
    files = sorted(file for file in files if not file.endswith(".cut.visaasm"))
    if not files:
        sys.exit(f"no .visaasm files in {', '.join(folders)}")
    return files


def medians(rounds, size_of):
    return {name: size_of[name] / MB / statistics.median(r[name] for r in rounds)
            for name in rounds[0]}


def sizes_of(sizes):
    text, printed, binary = (sizes[name] for name in ("text_bytes", "printed_bytes",
                                                      "binary_bytes"))
    return {"read_text": text, "write_binary": binary, "text_to_binary": text,
            "read_binary": binary, "print_text": printed, "binary_to_text": printed}


def measure(options):
    files = corpus_files(options)
    binary, text = make_wasm(os.path.join(options.build, "bench"))
    one = Formats(options.build, files, 1)
    many = Formats(options.build, files, UNITS)
    rounds, many_rounds, wabt_rounds = [], [], []
    for _ in range(options.rounds):
        rounds.append(one.round())
        wabt_rounds.append({
            "text_to_binary": cpu_seconds("wat2wasm", text, "-o", os.devnull),
            "binary_to_text": cpu_seconds("wasm2wat", binary, "-o", os.devnull)})
        many_rounds.append(many.round())
    one.close()
    many.close()
    wabt_sizes = {"text_bytes": os.path.getsize(text), "binary_bytes": os.path.getsize(binary)}
    wabt = medians(wabt_rounds, dict.fromkeys(wabt_rounds[0], wabt_sizes["text_bytes"]))
    visage = medians(rounds, sizes_of(one.sizes))
    density = one.sizes["binary_bytes"] / one.sizes["text_bytes"]
    wabt_density = wabt_sizes["binary_bytes"] / wabt_sizes["text_bytes"]
    ratios = {name: visage[name] / wabt[name] for name in wabt}
    return {"files": len(files), "visage_sizes": one.sizes, "wabt_sizes": wabt_sizes,
            "visage": visage, "visage_objects": medians(many_rounds, sizes_of(many.sizes)),
            "wabt": wabt, "ratio_of_text": ratios,
            "ratio_of_binary": {name: ratio * density / wabt_density
                                for name, ratio in ratios.items()}}


ROWS = (("read_text", "read text", "text"), ("write_binary", "write binary", "binary"),
        ("text_to_binary", "text to binary", "text"),
        ("read_binary", "read binary", "binary"), ("print_text", "print text", "text"),
        ("binary_to_text", "binary to text", "text"))


def show(results):
    print(f"formats: {results['files']} kernels, "
          f"{results['visage_sizes']['text_bytes'] / MB:.0f} MB of text and "
          f"{results['visage_sizes']['binary_bytes'] / MB:.0f} MB of binaries; for WABT "
          f"{results['wabt_sizes']['text_bytes'] / MB:.0f} and "
          f"{results['wabt_sizes']['binary_bytes'] / MB:.0f} MB")
    print(f"{'MB/s (median)':16}{'MB of':>8}{'visage':>10}{'objects':>10}{'WABT':>10}"
          f"{'ratio':>8}{'of binary':>12}")
    for key, name, of in ROWS:
        line = f"{name:16}{of:>8}{results['visage'][key]:10.1f}{results['visage_objects'][key]:10.1f}"
        if key in results["wabt"]:
            line += (f"{results['wabt'][key]:10.1f}{results['ratio_of_text'][key]:8.1f}"
                     f"{results['ratio_of_binary'][key]:12.1f}")
        print(line)
