# SPDX-License-Identifier: MIT
"""Runs a command and prints, then deletes, the map for perf that its process has left."""

import os
import subprocess
import sys

command = sys.argv[1:]
if command[0] == "timeout":  # of whose child the map is
    command = command[4:]
process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
path = f"/tmp/perf-{process.pid}.map"
status = process.wait()
with open(path, encoding="utf-8") as file:
    print(file.read(), end="")
os.remove(path)
sys.exit(status)
