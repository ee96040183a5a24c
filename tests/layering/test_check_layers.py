#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants good and bad includes in a small tree and expects exactly the bad ones to be found."""

import os
import tempfile
import unittest

import check_layers


class CheckLayers(unittest.TestCase):
    def check(self, **files):
        """The findings in a tree of a few headers and the files given, `/` and `.` as `__`, `_`."""
        tree = {"src/base/alloc.h": "", "src/exec/exec.h": "", "src/text/lexer.h": "",
                "src/object/model.h": '#include "base/alloc.h"\n'}
        for name, text in files.items():
            *folders, last = name.split("__")
            tree["/".join(folders + [last.replace("_", ".")])] = text
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            return check_layers.check_tree(root)

    def test_down_is_allowed(self):
        self.assertEqual(self.check(
            src__exec__run_c='#include "exec/exec.h"\n#include <stdio.h>\n'
                             '#include "object/model.h"\n#include "visage/visage.h"\n',
            tools__visage__main_c='#include "cmd.h"\n#include <visage/visage.h>\n',
            tools__visage__cmd_h=""), [])

    def test_up_is_found(self):
        self.assertEqual(self.check(src__base__bad_c='\n#include "object/model.h"\n'),
                         ["src/base/bad.c:2: base must not include object"])

    def test_peer_is_found_with_any_spelling(self):
        self.assertEqual(self.check(src__exec__bad_h='  #  include <text/lexer.h>\n'),
                         ["src/exec/bad.h:1: exec must not include text"])

    def test_path_upwards_is_found(self):
        self.assertEqual(self.check(src__exec__bad_h='#include "../text/lexer.h"\n'),
                         ["src/exec/bad.h:1: exec must not include a path with .."])

    def test_unknown_header_is_found(self):
        self.assertEqual(
            self.check(src__exec__bad_c='#include "nowhere.h"\n'),
            ['src/exec/bad.c:1: exec must not include "nowhere.h", which is in no layer'])

    def test_unknown_layer_is_found(self):
        self.assertEqual(self.check(src__magic__a_c=''),
                         ["src/magic: no row in the table of layers"])

    def test_nothing_to_check_is_found(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(len(check_layers.check_tree(root)), 1)

    def test_table_has_no_cycle(self):
        for layer, below in check_layers.BELOW.items():
            for other in below:
                self.assertNotIn(layer, check_layers.BELOW[other])


if __name__ == "__main__":
    unittest.main()
