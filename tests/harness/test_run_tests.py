#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of scripts/run-tests.py, given as the argument: whatever is not a pass must not count as
one."""

import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import unittest

spec = importlib.util.spec_from_file_location("run_tests", sys.argv.pop())
run_tests = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run_tests)


def outcomes(results):
    return [r.outcome for r in results]


def junit(status, inside):
    return f'<testsuite><testcase name="t" status="{status}">{inside}</testcase></testsuite>'


class Tap(unittest.TestCase):
    def test_each_point_counts(self):
        output = "1..4\n# group\nok 1 - a\nnot ok 2 - b\n# why\nok 3 # SKIP c\nnot ok 4 # SKIP d\n"
        self.assertEqual(outcomes(run_tests.tap_results("t", output, "failed")),
                         ["passed", "failed", "skipped", "skipped"])

    def test_plans_of_several_groups_add_up(self):
        output = "1..1\nok 1 - a\n1..2\nok 1 - b\nok 2 - c\n"
        self.assertEqual(outcomes(run_tests.tap_results("t", output, "")), ["passed"] * 3)

    def test_crash_in_the_middle_fails_the_rest(self):
        self.assertEqual(outcomes(run_tests.tap_results("t", "1..3\nok 1 - a\n", "abort")),
                         ["passed", "failed", "failed"])

    def test_crash_at_the_end_fails(self):
        self.assertEqual(outcomes(run_tests.tap_results("t", "1..1\nok 1 - a\n", "abort")),
                         ["passed", "failed"])

    def test_other_output_is_not_tap(self):
        self.assertIsNone(run_tests.tap_results("t", "ok then\n", ""))


class Junit(unittest.TestCase):
    def test_pass(self):
        self.assertEqual(outcomes(run_tests.junit_results(junit("run", ""))), ["passed"])

    def test_failure(self):
        results = run_tests.junit_results(
            junit("fail", '<failure message="Timeout"/><system-out>text</system-out>'))
        self.assertEqual(results, [("t", "failed", "Timeout\ntext")])

    def test_skip_gives_the_last_line_as_reason(self):
        results = run_tests.junit_results(
            junit("notrun", '<skipped message="SKIP_RETURN_CODE=77"/>'
                  "<system-out>x\nno PoCL\n</system-out>"))
        self.assertEqual(results, [("t", "skipped", "no PoCL")])

    def test_program_that_is_not_there_fails(self):
        self.assertEqual(outcomes(run_tests.junit_results(
            junit("notrun", '<skipped message="Unable to find executable: /x"/>'))), ["failed"])

    def test_unknown_status_fails(self):
        self.assertEqual(outcomes(run_tests.junit_results(junit("disabled", ""))), ["failed"])


class Lit(unittest.TestCase):
    def check(self, code, outcome, output=""):
        text = json.dumps({"tests": [{"name": "t", "code": code, "output": output}]})
        self.assertEqual(outcomes(run_tests.lit_results(text)), outcome)

    def test_codes(self):
        self.check("PASS", ["passed"])
        self.check("XFAIL", ["skipped"])
        self.check("EXCLUDED", [])
        for code in ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT", "SOMETHING"):
            self.check(code, ["failed"])

    def test_reason_of_unsupported(self):
        text = json.dumps({"tests": [{
            "name": "t", "code": "UNSUPPORTED",
            "output": "Test requires the following unavailable features: ocloc"}]})
        self.assertEqual(run_tests.lit_results(text), [("t", "skipped", "needs ocloc")])


class Driver(unittest.TestCase):
    def run_driver(self, script, may_be_empty=False):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report")
            read = lambda text: [run_tests.Result("t", text.strip(), "")]
            return outcomes(run_tests.run_reporting(
                "driver", ["sh", "-c", script, "sh", path], path, read, 8, may_be_empty))

    def test_status_agrees_with_report(self):
        self.assertEqual(self.run_driver('echo passed > "$1"'), ["passed"])
        self.assertEqual(self.run_driver('echo failed > "$1"; exit 8'), ["failed"])

    def test_status_without_a_reason_fails(self):
        self.assertEqual(self.run_driver('echo passed > "$1"; exit 8'), ["passed", "failed"])
        self.assertEqual(self.run_driver('echo failed > "$1"; exit 2'), ["failed", "failed"])

    def test_no_report(self):
        self.assertEqual(self.run_driver("exit 0"), ["failed"])
        self.assertEqual(self.run_driver("exit 1"), ["failed"])
        self.assertEqual(self.run_driver("exit 0", may_be_empty=True), [])
        self.assertEqual(self.run_driver("exit 1", may_be_empty=True), ["failed"])


class Report(unittest.TestCase):
    def report(self, *kinds):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = run_tests.report([run_tests.Result("t", kind, "d") for kind in kinds])
        return status, out.getvalue().splitlines()[-1]

    def test_last_line_and_status(self):
        self.assertEqual(self.report("passed", "passed"), (0, "2 passed, 0 failed"))
        self.assertEqual(self.report("passed", "failed"), (1, "1 passed, 1 failed"))
        self.assertEqual(self.report("passed", "skipped"), (0, "1 passed, 0 failed, 1 skipped"))
        self.assertEqual(self.report(), (1, "0 passed, 0 failed"))


if __name__ == "__main__":
    unittest.main()
