# SPDX-License-Identifier: MIT
"""Draws what opencl.py has measured: for each kernel a bar for PoCL's processor time and one for
native code's, by how often visage's goes into them, along a logarithmic axis; SVG."""

import math
from xml.sax.saxutils import escape

LEFT, RIGHT, TOP, BOTTOM = 130, 60, 76, 40
WIDTH, ROW, BAR = 900, 30, 11
SERIES = (("ratio", "#2f6fb0", "PoCL's best"), ("native_ratio", "#d08a2c", "native C"))
GRID = "#d8d8d8"


def label(value):
    return f"{value:g}"


class Axis:
    """A decade or more around all values, and 1."""

    def __init__(self, values):
        values = [*values, 1]
        self.low = 10 ** math.floor(math.log10(min(values)))
        self.high = 10 ** max(1, math.ceil(math.log10(max(values))))

    def at(self, value):
        part = math.log(value / self.low) / math.log(self.high / self.low)
        return LEFT + part * (WIDTH - LEFT - RIGHT)

    def ticks(self):
        decade = self.low
        while decade <= self.high * 1.001:
            yield from (decade * step for step in (1, 2, 5) if decade * step <= self.high * 1.001)
            decade *= 10


def written(x, y, what, anchor="start", **more):
    styles = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{styles}>{escape(what)}</text>'


def box(x, y, width, height, fill):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{fill}"/>')


def upright(x, height, color, width=1):
    return (f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - BOTTOM}" '
            f'stroke="{color}" stroke-width="{width}"/>')


def bars(axis, rows):
    for i, row in enumerate(rows):
        y = TOP + i * ROW
        yield written(LEFT - 8, y + 16, row["kernel"], "end")
        for k, (field, color, _) in enumerate(SERIES):
            if not row[field]:
                continue
            one, to = axis.at(1), axis.at(row[field])
            top = y + 2 + k * (BAR + 1)
            yield box(min(one, to), top, max(abs(to - one), 1), BAR, color)
            beside, side = (to + 4, "start") if to >= one else (to - 4, "end")
            yield written(beside, top + BAR - 1.5, f"{row[field]:.2f}", side, font_size=10)


def legend():
    yield written(LEFT, 22, "Processor time as multiples of visage's, both cores",
                  font_size=15, font_weight="bold")
    yield written(LEFT, 40, "to the right of 1 visage is quicker", fill="#555")
    x = LEFT + 330
    for _, color, name in SERIES:
        yield box(x, 30, 12, 12, color)
        yield written(x + 18, 40, name)
        x += 120


def draw(results):
    rows = [*results["kernels"], {"kernel": "geometric mean", **results["means"]}]
    height = TOP + ROW * len(rows) + BOTTOM
    axis = Axis([row[field] for row in rows for field, _, _ in SERIES if row[field]])
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
             f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
             box(0, 0, WIDTH, height, "#ffffff"), *legend()]
    for value in axis.ticks():
        parts.append(upright(axis.at(value), height, GRID))
        parts.append(written(axis.at(value), height - BOTTOM + 16, label(value), "middle"))
    parts += [*bars(axis, rows), upright(axis.at(1), height, "#000000", 1.5), "</svg>"]
    return "\n".join(parts) + "\n"
