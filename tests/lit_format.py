# SPDX-License-Identifier: MIT
"""Which text tests there are. A module, since lit's workers are sent what it makes."""

import re

import lit.formats


class TextTest(lit.formats.ShTest):
    """Text tests; with an engine only those that it makes another test of.

    engine and level: what all runs are given, or None; a run that chooses for itself stays as it
    is. A test that names levels has run for those that it is about."""

    def __init__(self, engine, level):
        super().__init__(execute_external=False)
        self.engine = engine
        self.level = level

    def is_another(self, options):
        """Whether a run with these options is another one by the engine and level; what a shell
        puts in may be that engine."""
        chosen = re.search(r"--engine[= ](\S+)", options)
        return not chosen or (
            self.level and (chosen[1] == self.engine or chosen[1].startswith("$")))

    def getTestsInDirectory(self, *arguments):
        for test in super().getTestsInDirectory(*arguments):
            with open(test.getSourcePath(), encoding="utf-8", errors="replace") as file:
                text = re.sub(r"\\\n", " ", file.read())
            runs = re.findall(r"%visage run\b((?:(?!%visage).)*)", text)
            if self.level and "--cpu" in text:
                continue
            if not self.engine or any(map(self.is_another, runs)):
                yield test
