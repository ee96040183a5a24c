#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does compare_listings.py see what is wrong? A program in the place of GenX_IR lists what visage
lists, changed as each case says, or ends as GenX_IR may.

    test_compare_listings.py VISAGE FOLDER"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare_listings.py")
VISAGE, FOLDER = map(os.path.abspath, sys.argv[1:3])
SAMPLE = "tgllp.atomics.atl.isa"


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.bin = os.path.join(self.folder, "bin")
        self.files = os.path.join(self.folder, "files")
        os.mkdir(self.bin)
        os.mkdir(self.files)
        shutil.copy(os.path.join(FOLDER, SAMPLE), self.files)

    def run_script(self, stand_in, *options):
        """stand_in: lines of shell; $1 is the binary, the folder it runs in is where it lists."""
        path = os.path.join(self.bin, "GenX_IR")
        if stand_in is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\n{stand_in}\n")
            os.chmod(path, 0o755)
        environment = dict(os.environ, PATH=f"{self.bin}:/usr/bin:/bin" if stand_in else self.bin)
        return subprocess.run([sys.executable, SCRIPT, VISAGE, self.files, *options],
                              stdout=subprocess.PIPE, env=environment, text=True)

    def list_changed(self, change):
        return self.run_script(f"'{VISAGE}' dis \"$1\" | {change} >.visaasm")

    def test_equal(self):
        done = self.list_changed("cat")
        self.assertEqual(done.returncode, 0)
        self.assertIn("# 1 of 1 files: 1 units, ", done.stdout)

    def test_labels_and_blanks_may_differ(self):
        done = self.list_changed(r"sed -e 's/\b\(_[0-9_]*\)\b/\1_77/' -e 's/$/   /'")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_other_operand(self):
        done = self.list_changed("sed '/^ *mov /s/<1> /<2> /'")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not ok 1 - ./" + SAMPLE, done.stdout)

    def test_missing_line(self):
        self.assertEqual(self.list_changed("sed '$d' | sed '$d'").returncode, 1)

    def test_other_declaration(self):
        self.assertEqual(self.list_changed("sed 's/num_elts=16/num_elts=8/'").returncode, 1)

    def test_crash_names_the_file(self):
        done = self.run_script("kill -SEGV $$", "--least=0")
        self.assertEqual(done.returncode, 0)
        self.assertIn(f"ok 1 - ./{SAMPLE} # skip GenX_IR: signal 11", done.stdout)
        self.assertEqual(self.run_script("kill -SEGV $$").returncode, 1)

    def test_crash_behind_the_listing(self):
        done = self.run_script(f"'{VISAGE}' dis \"$1\" >.visaasm; kill -SEGV $$")
        self.assertEqual(done.returncode, 0)
        self.assertIn(f"# GenX_IR on ./{SAMPLE}: signal 11 behind the listings", done.stdout)

    def test_missing(self):
        self.assertEqual(self.run_script(None).returncode, 77)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
