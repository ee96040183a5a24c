#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says what of the instruction table and of src/exec the test suite executes.

    scripts/coverage.py BUILD [--label=LABEL] [--filter=REGEX] [--json=FILE] [--least=PERCENT]

BUILD is a build folder configured with VISAGE_COVERAGE and VISAGE_TESTS. Runs the tests there, which
leave counters of lines (gcov) and a log of the instructions that were executed (exec/coverage.h),
and joins the log with the cells of the table: for every row its combinations of types, the kinds
and types of each operand, execution sizes, masks, predicates, modifiers and saturation.

Writes BUILD/coverage.txt, BUILD/coverage.json (or FILE) and BUILD/coverage-lines.txt, and prints a
summary. Exits 1 if a test failed, a cell was not executed, or fewer lines of src/exec were than
PERCENT (95) of them.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

Row = collections.namedtuple("Row", "id group operands cells")
# typed: whether the row's type maps say something of it
Operand = collections.namedtuple("Operand", "name number typed")


def read_cells(text):
    """The rows by their number, and those that nothing executes as (id, reason)."""
    rows, none = {}, []
    for line in text.splitlines():
        kind, number, rest = line.split(" ", 2)
        if kind == "op":
            id_, group, *operands = rest.split(" ")
            fields = [operand.split(":") for operand in operands]
            rows[int(number)] = Row(id_, group, [Operand(name, int(place), typed == "1")
                                                 for name, place, typed in fields], {})
        elif kind == "cell":
            rows[int(number)].cells[rest] = False
        else:
            none.append(tuple(rest.split(" ", 1)))
    return rows, none


GENERAL = ("scalar", "contiguous", "strided", "rows", "indirect", "multi", "immediate", "packed")


def cells_of_line(row, fields):
    """Names of the cells that a line of the log covers, as spec_cell_name() has them."""
    _, _, size, mask, predicate, *rest = fields
    found = {int(number): (kind, type_, modifier) for number, kind, type_, modifier in
             (field.split(":") for field in rest)}
    names = ["executed", f"size {size}", f"mask {mask}", f"predicate {predicate}"]
    types = ["types"]
    for operand in row.operands:
        kind, type_, modifier = found.get(operand.number, ("-", "-", "none"))
        types.append((type_ if kind in GENERAL else "?") if operand.typed else "-")
        names += [f"{operand.name} {kind} {type_}", f"{operand.name} {kind} -"]
        if modifier == "sat":
            names.append(f"saturated {type_}")
        elif modifier != "none":
            names.append(f"{operand.name} modifier {modifier} {type_}")
    names.append(" ".join(types))
    return names


def mark(rows, folder):
    """Marks the cells that the logs in a folder cover; returns the number of different lines."""
    lines = set()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="ascii") as file:
            lines.update(file)
    for line in lines:
        fields = line.split()
        row = rows.get(int(fields[0]))
        for name in cells_of_line(row, fields) if row else ():
            if name in row.cells:
                row.cells[name] = True
    return len(lines)


def measure_lines(build):
    """(lines, executed) of src/exec by file; writes the table of gcovr."""
    table = os.path.join(build, "coverage-lines.txt")
    summary = os.path.join(build, "coverage-lines.json")
    subprocess.run(["gcovr", "--root", TOP, "--object-directory", build, "--filter",
                    os.path.join(TOP, "src", "exec") + "/", "--exclude", ".*/exec/coverage[.]",
                    "--txt", table, "--json-summary", summary, build], check=True)
    with open(summary, encoding="utf-8") as file:
        report = json.load(file)
    return {entry["filename"]: (entry["line_total"], entry["line_covered"])
            for entry in report["files"]}


def report_rows(rows, none, file):
    """Writes one line for each row, and below it what is missing."""
    for row in rows.values():
        missing = [name for name, covered in row.cells.items() if not covered]
        print(f"{row.id:28} {row.group:10} {len(row.cells) - len(missing)} of "
              f"{len(row.cells)}", file=file)
        for name in missing:
            print(f"    {name}", file=file)
    for id_, reason in none:
        print(f"{id_:28} {reason}", file=file)


def run_tests(options, log):
    shutil.rmtree(log, ignore_errors=True)
    os.makedirs(log)
    for folder, _, names in os.walk(options.build):
        for name in names:
            if name.endswith(".gcda"):
                os.remove(os.path.join(folder, name))
    command = [sys.executable, os.path.join(TOP, "scripts", "run-tests.py"), options.build,
               f"--label={options.label}", f"--filter={options.filter}"]
    return subprocess.run(command, env=dict(os.environ, VISAGE_COVERAGE_LOG=log)).returncode


def main():
    parser = argparse.ArgumentParser(description="Measures what the tests execute.")
    parser.add_argument("build")
    parser.add_argument("--label", default="")
    parser.add_argument("--filter", default="")
    parser.add_argument("--json", default="")
    parser.add_argument("--least", type=float, default=95)
    parser.add_argument("--only-report", action="store_true", help="do not run the tests again")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    log = os.path.join(options.build, "coverage-log")

    failed = 0 if options.only_report else run_tests(options, log)
    cells = subprocess.run([os.path.join(options.build, "tests", "spec", "print_cells")],
                           stdout=subprocess.PIPE, text=True, check=True).stdout
    rows, none = read_cells(cells)
    different = mark(rows, log)
    lines = measure_lines(options.build)

    with open(os.path.join(options.build, "coverage.txt"), "w", encoding="utf-8") as file:
        report_rows(rows, none, file)
    result = {"rows": {row.id: {"group": row.group, "cells": len(row.cells),
                                "missing": [n for n, c in row.cells.items() if not c]}
                       for row in rows.values()},
              "not_executed": dict(none),
              "lines": {name: {"lines": total, "executed": done}
                        for name, (total, done) in lines.items()}}
    with open(options.json or os.path.join(options.build, "coverage.json"), "w",
              encoding="utf-8") as file:
        json.dump(result, file, indent=1)

    total = sum(len(row.cells) for row in rows.values())
    covered = sum(sum(row.cells.values()) for row in rows.values())
    green = sum(all(row.cells.values()) for row in rows.values())
    all_lines = sum(total for total, _ in lines.values())
    percent = 100 * sum(done for _, done in lines.values()) / max(all_lines, 1)
    print(f"{different} different instructions were executed")
    print(f"table: {covered} of {total} cells, {green} of {len(rows)} rows whole; "
          f"{os.path.join(options.build, 'coverage.txt')}")
    print(f"src/exec: {percent:.1f} % of {all_lines} lines; "
          f"{os.path.join(options.build, 'coverage-lines.txt')}")
    sys.exit(1 if failed or covered < total or percent < options.least else 0)


if __name__ == "__main__":
    main()
