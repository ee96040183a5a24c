# SPDX-License-Identifier: MIT
"""Writes kernels that are nearly those of arrays.py.

    arrays_odd.py FOLDER

FOLDER/NAME.visaasm, NAME.run, FOLDER/names. Each has something in its loop, or around it, that
makes a difference to who goes first: channels side by side, as they are in the text, or one after
the other."""

import os
import re
import sys

import arrays

# How a kernel of 16 channels ends its rounds, and lines to be put behind labels; "row": what
# becomes of the moves to elements; "decl": variables.
ODD = {
    # Some leave by what all have, from where only some are.
    "exit-of-some": ("even", {
        "again": "cmp.ge (M1_NM, 16) P5 C(0,0)<0;1,0> 2:ud",
        "odd": "(P5) goto (M1, 1) exit\nwent:",
        "behind": "add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 10000:ud\nexit:"}),
    # A scalar counts how often anybody goes one of two ways.
    "count-of-some": ("even", {
        "even": "add (M1_NM, 1) E(0,0)<1> E(0,0)<0;1,0> 1:ud",
        "behind": "add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> E(0,0)<0;1,0>"}),
    # A predicate that some channels give to all.
    "predicate-of-some": ("own", {
        "odd": "cmp.eq (M1_NM, 16) P5 R(0,0)<0;1,0> R(0,0)<0;1,0>",
        "join": "(P5) add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 1000:ud"}),
    # What all have in common of the round before, which those that have left do not come to.
    "predicate-of-before": ("long-break", {
        "again": "(P5) goto (M1, 1) skip\nblock:\nadd (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 1:ud\nskip:",
        "back": "cmp.lt (M1_NM, 16) P5 C(0,0)<0;1,0> 1020:ud"}),
    # The predicate of the last move of a row.
    "predicate-of-row": ("own", {
        "join": "(P3) add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 1000:ud"}),
    # Channels wait before the loop for the end of others, which leave it together.
    "waits": ("middle", {
        "to": "exit",
        "main": "cmp.ge (M1, 16) P5 L(0,0)<1;1,0> 8:uw",
        "before": "(P5) goto (M1, 16) wait\nsome:",
        "join": "mul (M1_NM, 1) E(0,0)<1> C(0,0)<0;1,0> 10:ud",
        "behind": "wait:\nadd (M1, 16) S(0,0)<1> S(0,0)<1;1,0> E(0,0)<0;1,0>\nexit:"}),
    # A row whose elements are made for all channels, whichever are on.
    "row-of-all": ("own", {
        "written": "mov (M1_NM, 16) F(0,0)<1> 5:ud",
        "row": lambda n: f"r[A0({n}),0]<1>:ud F(0,{n})<0;1,0>"}),
    # Moves of a row to places that are no row.
    "row-apart": ("own", {
        "row": lambda n: f"r[A0({n}),{-64 * (n & 1)}]<1>:ud V(0,{n})<0;1,0>",
        "written": "or (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 1:ud"}),
    # Numbers of channels that need more than 32 bits.
    "wide-numbers": ("own", {
        "again": "mov (M1_NM, 8) F(0,0)<1> 0x76543210:v\nadd (M1_NM, 8) F(0,8)<1> F(0,0)<1;1,0> 8:ud\n"
                 "mul (M1_NM, 16) Q2(0,0)<1> F(0,0)<1;1,0> 0x70000000:ud\n"
                 "shr (M1, 16) Z(0,0)<1> Q2(0,0)<1;1,0> 28:uq\nmov (M1, 16) F2(0,0)<1> Z(0,0)<1;1,0>",
        "join": "add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> F2(0,0)<1;1,0>"}),
}
DECLS = [".decl E v_type=G type=ud num_elts=1 align=dword", ".decl P5 v_type=P num_elts=16"]
DECLS += [f".decl {v} v_type=G type=ud num_elts=16 align=GRF" for v in ("F", "F2")]
DECLS += [f".decl {v} v_type=G type=uq num_elts=16 align=GRF" for v in ("Q2", "Z")]


def indent(lines):
    return [line if line.endswith(":") else "    " + line for line in lines.split("\n")]


def change(text, edits):
    out = []
    for line in text.splitlines():
        if line.startswith(".kernel_attr"):
            out += DECLS
        if line == "again:":
            out += indent(edits.get("before", "")) if "before" in edits else []
        line = line.replace("goto (M1, 1) behind", f"goto (M1, 1) {edits.get('to', 'behind')}")
        move = re.match(r"(.*) r\[A0\((\d+)\),0\]<1>:ud V\(.*", line)
        if move and "row" in edits:
            line = f"{move[1]} {edits['row'](int(move[2]))}"
        if "written" in edits and re.match(r".*mul .* O\(0,0\)<1> XW", line):
            out += indent(edits["written"])
        out.append(line)
        if line == "main:":
            out.append("    mov (M1_NM, 1) E(0,0)<1> 0:ud")
            out.append("    cmp.ne (M1_NM, 16) P5 E(0,0)<0;1,0> E(0,0)<0;1,0>")
            out.append("    mov (M1_NM, 16) F2(0,0)<1> 0:ud")
        if line.endswith(":") and line[:-1] in edits and line != "main:":
            out += indent(edits[line[:-1]])
        if "main" in edits and "add (M1_NM, 8) L(0,8)<1>" in line and "again:" not in out:
            out += indent(edits["main"])
    return "\n".join(out) + "\n"


def main():
    folder = sys.argv[1]
    for name, (end, edits) in ODD.items():
        with open(os.path.join(folder, name + ".visaasm"), "w") as out:
            out.write(change(arrays.Text("pvc-16", end).kernel(), edits))
        rounds = {"own": 1, "long-break": 300}.get(end, 9)
        with open(os.path.join(folder, name + ".run"), "w") as out:
            out.write(
                "--jobs 1 --platform pvc --groups 3 -a buf:u32:16:iota "
                f"-a buf:u32:48:zero:out=- -a u32:{rounds}\n"
            )
    with open(os.path.join(folder, "names"), "w") as out:
        out.writelines(name + "\n" for name in ODD)


main()
