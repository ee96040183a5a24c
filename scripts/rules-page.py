#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints docs/rules.md, made from the verifier's table of rules.

    rules-page.py VISAGE... > docs/rules.md

VISAGE: the tool, with anything that is to stand before it."""

import json
import subprocess
import sys

AREAS = {
    "V01": "Objects",
    "V02": "Operands",
    "V03": "Execution sizes, masks, predicates",
    "V04": "Control flow and calls",
    "V05": "Types, and what single instructions ask",
    "V06": "LSC messages",
    "V07": "Other messages",
}

HEAD = """# Rules of a legal module

What `visage check` and `visage_verify()` judge by. This page is made by `scripts/rules-page.py` from the tables
`src/verify/rules_*.def`; `visage check --explain V0310` prints one rule, `--rules` all of them.

*strict* rules are warnings under `--strict`: real compiler output breaks them or no page has them (`spec-notes.md` says which). *reader* rules are
enforced when a file is read, because a module cannot hold what breaks them; readers and writers report them with the code given.
Of a text some others are reported by its reader, too, *in texts* with another code: V0211 always, the others wherever a text
is read for more than `check`. `--explain` knows these codes as well.
"""


def cell(text):
    return text.replace("|", "\\|")


def main():
    rules = json.loads(subprocess.run([*sys.argv[1:], "check", "--rules", "--json"], check=True,
                                      stdout=subprocess.PIPE).stdout)
    most = max(len(rule["platforms"]) for rule in rules)
    print(HEAD)
    print(f"{len(rules)} rules.")
    area = None
    for rule in rules:
        if rule["code"][:3] != area:
            area = rule["code"][:3]
            print(f"\n## {area}xx: {AREAS[area]}\n")
            print("| rule | | says | source | platforms |\n| --- | --- | --- | --- | --- |")
        kind = rule["severity"]
        if kind == "error":
            kind = f"in texts {rule['reader_code']}" if "reader_code" in rule else ""
        elif kind == "reader":
            kind = f"reader, {rule['reader_code']}"
        platforms = "" if len(rule["platforms"]) == most else ", ".join(rule["platforms"])
        print(f"| {rule['code']} | {kind} | {cell(rule['sentence'])} | {cell(rule['source'])} "
              f"| {platforms} |")


main()
