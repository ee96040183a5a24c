#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the man pages tell of the commands and options that --help tells of, and of no others?

    test_man_pages.py VISAGE FOLDER"""

import os
import re
import subprocess
import sys

OPTION = re.compile(r"--[a-z][a-z-]*")


def help_of(visage, *args):
    return subprocess.run([visage, *args, "--help"], stdout=subprocess.PIPE, check=True,
                          text=True).stdout


def options_of_help(text):
    """Options that begin a line, or follow their short form there."""
    return set(re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", text, re.M))


def options_of_page(text):
    """Options in the line behind a .TP under OPTIONS."""
    found = set()
    section = re.search(r"^\.SH OPTIONS$(.*?)^\.SH ", text, re.M | re.S)
    for line in re.findall(r"^\.TP\n(.*)$", section.group(1) if section else "", re.M):
        found.update(OPTION.findall(line.replace("\\-", "-").replace("\\fB", " ")))
    return found


def main():
    visage, folder = sys.argv[1:3]
    commands = re.findall(r"^  (\w+) ", help_of(visage).split("commands:")[1], re.M)
    with open(os.path.join(folder, "visage.1"), encoding="utf-8") as file:
        overview = file.read()
    number = failed = 0

    def check(good, what):
        nonlocal number, failed
        number += 1
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {what}")

    check(len(commands) > 4, f"commands: {' '.join(commands)}")
    check(set(re.findall(r"visage-(\w+)\\fR\(1\)", overview)) == set(commands),
          "visage.1 names each command's page")
    for command in commands:
        path = os.path.join(folder, f"visage-{command}.1")
        check(os.path.exists(path), f"{command} has a page")
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            page = options_of_page(file.read())
        told = options_of_help(help_of(visage, command)) - {"--help"}
        check(told == page, f"{command}: only in --help: {sorted(told - page)}, only in the page: "
                            f"{sorted(page - told)}")
    print(f"1..{number}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
