# SPDX-License-Identifier: MIT
"""What opencl.py has measured as a table, and which goals were reached.

    bench/goals.py RESULTS

prints what `run.py --json=RESULTS` has written as the tables of docs/performance.md.
"""

import json
import math
import sys

NAMES = ("kernel", "best", "visage", "other", "PoCL", "method", "native", "PoCL/", "native/",
         "wall PoCL/", "native/", "cores", "native", "compile", "cached", "PoCL's", "open", "MiB",
         "GB/s", "checks", "Oclgrind/")
WIDTHS = (14, 5, 10, 10, 10, 15, 10, 8, 8, 11, 8, 7, 8, 9, 8, 9, 8, 6, 7, 8, 10)
METHOD = 5  # a column of text; all but it and the first two are numbers


def mean(values):
    values = [value for value in values if value]
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else None


def text(value, form, unit=""):
    return "-" if value is None else format(value, form) + unit


def percent(value):
    return "-" if value is None else f"{100 * value:+.0f}%"


def cells(row):
    runs, device = row["runs"], row["device"]
    other = runs.get("dg2" if device == "pvc" else "pvc")
    native, small = runs.get("native"), row["small"]
    return (row["kernel"], device, text(runs[device]["cpu"] * 1e3, ".3f"),
            text(other and other["cpu"] * 1e3, ".3f"), text(runs[row["method"]]["cpu"] * 1e3, ".3f"),
            row["method"], text(native and native["cpu"] * 1e3, ".3f"),
            text(row["ratio"], ".2f"), text(row["native_ratio"], ".2f"),
            text(row["wall_ratio"], ".2f"), text(row["native_wall_ratio"], ".2f"),
            text(row["scaling"], ".2f"), text(row["native_scaling"], ".2f"),
            text(row["compile"] * 1e3, ".1f"), text(row["cached"] * 1e3, ".2f"),
            text(row["pocl_compile"] * 1e3, ".1f"), text(row["pocl_open"] * 1e3, ".0f"),
            text(row["resident"] / 2**20, ".0f"),
            text(row["bandwidth"] and row["bandwidth"] / 1e9, ".1f"),
            percent(row["checks"]),
            text(small and small["oclgrind"] / small["visage"], ".0f"))


def line(fields):
    return "".join(field.ljust(width) if i == 0 else " " + field.rjust(width - 1)
                   for i, (field, width) in enumerate(zip(fields, WIDTHS)))


def print_row(row, file):
    print(line(cells(row)), "  DIFFERS" if row["differences"] else "", file=file, flush=True)


def means(results):
    rows = results["kernels"]
    checks = mean(1 + row["checks"] for row in rows if row["checks"] is not None)
    return {"ratio": mean(row["ratio"] for row in rows),
            "native_ratio": mean(row["native_ratio"] for row in rows),
            "wall_ratio": mean(row["wall_ratio"] for row in rows),
            "native_wall_ratio": mean(row["native_wall_ratio"] for row in rows),
            "checks": checks and checks - 1,
            "small_ratio": mean(row["small"]["oclgrind"] / row["small"]["visage"]
                                for row in rows if row["small"])}


def goal(name, judged, fails, form):
    """A goal about kernels and a number of each, reached where there are some and none fails."""
    failing = [form.format(kernel, value) for kernel, value in judged if fails(kernel, value)]
    return {"goal": name, "reached": bool(judged) and not failing,
            "measured": ", ".join(failing) or ("all" if judged else "not measured")}


def bound(name, value, is_met, form):
    """A goal about one number; one that was not measured is not reached."""
    return {"goal": name, "reached": value is not None and is_met(value),
            "measured": "not measured" if value is None else form.format(value)}


def judge(results):
    """The goals of the JIT, with what was measured, and which kernels miss them."""
    rows, average = results["kernels"], means(results)
    by_name = {row["kernel"]: row for row in rows}
    tiny = by_name.get("tiny")

    def ratio(name):
        return by_name[name]["ratio"] if name in by_name else None

    def every(field, streamed=None, without=()):
        """Of all kernels, or of those alone that memory bounds or does not bound."""
        return [(row["kernel"], row[field]) for row in rows
                if row[field] is not None and row["kernel"] not in without
                and streamed in (None, row["bandwidth"] is not None)]

    return [
        bound("6 times less processor time than PoCL's best in the mean", average["ratio"],
              lambda value: value >= 6, "{:.2f}"),
        bound("tiled sgemm 8 times less", ratio("sgemm_tiled"), lambda value: value >= 8,
              "{:.2f}"),
        bound("reduction 2 times less", ratio("reduce"), lambda value: value >= 2, "{:.2f}"),
        bound("scan 2 times less", ratio("scan"), lambda value: value >= 2, "{:.2f}"),
        goal("no kernel slower than PoCL's best", every("ratio", False),
             lambda _, value: value < 1, "{} {:.2f}"),
        goal("none that memory bounds slower by more than 5 %", every("ratio", True),
             lambda _, value: value < 0.95, "{} {:.2f}"),
        bound("0.7 of the speed of native code in the mean", average["native_ratio"],
              lambda value: value >= 0.7, "{:.2f}"),
        goal("none below 0.4 of it", every("native_ratio"), lambda _, value: value < 0.4,
             "{} {:.2f}"),
        goal("0.9 of the bandwidth of STREAM's triad",
             [(row["kernel"], row["bandwidth"] / row["triad"]) for row in rows if row["triad"]],
             lambda _, value: value < 0.9, "{} {:.2f}"),
        goal("1.85 times as fast on two cores, unless memory bounds",
             every("scaling", False, without=("tiny",)), lambda _, value: value < 1.85,
             "{} {:.2f}"),
        goal("processor time to compile at most PoCL's", every("compile"),
             lambda name, value: value > by_name[name]["pocl_compile"], "{} {:.3f} s"),
        goal("under 5 ms from the cache", every("cached"), lambda _, value: value >= 5e-3,
             "{} {:.4f} s"),
        bound("2 microseconds for a tiny launch", tiny and tiny["runs"][tiny["device"]]["cpu"],
              lambda value: value <= 2e-6, "{:.3g} s"),
        goal("150 MiB resident beyond buffers", every("resident"),
             lambda _, value: value > 150 * 2**20, "{} {:.3g} bytes"),
        bound("checks cost 15 % in the mean", average["checks"], lambda value: value <= 0.15,
              "{:.3f}")]


def show(results):
    print("opencl: ms of processor time of a launch on both cores, visage's by the quicker and by\n"
          "the other device's code, PoCL's by its best method, native code's; how often visage's\n"
          "goes into PoCL's and native code's, and of time on the wall; speed on two cores, native\n"
          "code's, too; ms of processor time to compile, from the cache, PoCL's for the kernel and\n"
          "PoCL's before that; MiB resident beyond buffers; GB/s where memory bounds; cost of all\n"
          "checks; how often visage's goes into Oclgrind's, at small sizes")
    print(line(NAMES))
    for row in results["kernels"]:
        print_row(row, sys.stdout)
        for difference in row["differences"] + (row["small"] or {}).get("differences", []):
            print("    " + difference)
    average = results["means"]
    print("geometric means: " + ", ".join(
        f"{name} {text(average[field], '.3g')}" for name, field in
        (("PoCL/", "ratio"), ("native/", "native_ratio"), ("wall PoCL/", "wall_ratio"),
         ("wall native/", "native_wall_ratio"), ("checks", "checks"),
         ("Oclgrind/", "small_ratio"))))
    for cores, rates in (results["stream"] or {}).items():
        print(f"STREAM with {cores} thread{'s' * (cores != '1')}: "
              + ", ".join(f"{name} {rate / 1e9:.1f}" for name, rate in rates.items()) + " GB/s")
    if results["additions"]:
        print(f"additions: {results['additions']:.2f} times as many on both cores as on one")
    for entry in results["goals"]:
        print(f"{'reached' if entry['reached'] else 'MISSED ':8} {entry['goal']}: "
              f"{entry['measured']}")
    print(f"plot: {results['plot']}")


COLUMNS = ("kernel", "visage", "for", "PoCL", "by", "C", "PoCL / visage", "C / visage", "cores",
           "C, cores", "compile", "cached", "PoCL's", "checks", "Oclgrind / visage")


def markdown(results):
    """The lines of the table of kernels and of that of goals."""
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "| --- |" + " --: |" * (len(COLUMNS) - 1)
    for row in results["kernels"]:
        name, device, mine, _, pocl, method, native, ratio, of_native, _, _, cores, \
            native_cores, compiled, cached, pocl_compiled, _, _, _, checks, small = cells(row)
        yield "| " + " | ".join((name, mine, device, pocl, method, native, ratio, of_native, cores,
                                 native_cores, compiled, cached, pocl_compiled, checks,
                                 small)) + " |"
    average = results["means"]
    yield (f"| geometric mean | | | | | | {text(average['ratio'], '.2f')} | "
           f"{text(average['native_ratio'], '.2f')} | | | | | | "
           f"{percent(average['checks'])} | "
           f"{text(average['small_ratio'], '.0f')} |")
    yield ""
    yield "| goal | | measured |"
    yield "| --- | --- | --- |"
    for entry in results["goals"]:
        yield (f"| {entry['goal']} | {'reached' if entry['reached'] else 'missed'} | "
               f"{entry['measured']} |")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        print("\n".join(markdown(json.load(file)["opencl"])))


if __name__ == "__main__":
    main()
