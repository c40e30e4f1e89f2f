#!/usr/bin/env python3
"""The commands that run nothing, and command lines that are wrong."""
import re
import subprocess
import time
import unittest

from host import HERE, HostTest


class CommandLine(HostTest):
    def refused(self, *words):
        done = self.tyto(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(self.names(), ["data", "run.yaml"])
        return done.stderr

    def test_no_command_is_refused(self):
        self.assertEqual(self.refused(), "command line: there is no command\n  expected  tyto COMMAND ..., as in tyto run FILE.yaml\n  try       tyto --help\n")

    def test_an_unknown_command_is_refused_with_those_there_are(self):
        self.assertEqual(
            self.refused("rum", "run.yaml"),
            "command line: unknown command 'rum'\n  expected  run, resume, scan, check, check-derivative, explain, list, describe, info, convert, calibrate\n  try       tyto --help\n",
        )

    def test_a_missing_operand_is_named(self):
        for command, operand in (("run", "FILE.yaml"), ("check", "FILE.yaml"), ("check-derivative", "FILE.yaml"), ("explain", "FILE.yaml"), ("info", "FILE")):
            self.assertEqual(
                self.refused(command),
                f"command line: 'tyto {command}' does not say which file\n  expected  tyto {command} {operand}\n  try       tyto --help\n",
            )
        self.assertEqual(
            self.refused("resume"),
            "command line: 'tyto resume' does not say which folder\n  expected  tyto resume DIR\n  try       tyto --help\n",
        )
        self.assertEqual(
            self.refused("describe"),
            "command line: 'tyto describe' does not say which name\n  expected  tyto describe NAME\n  try       tyto --help\n",
        )

    def test_what_is_too_much_is_named(self):
        self.assertEqual(
            self.refused("run", "run.yaml", "more.yaml"),
            "command line: 'tyto run' takes one FILE.yaml\n  expected  tyto run FILE.yaml\n  found     more.yaml\n  try       tyto --help\n",
        )
        self.assertEqual(
            self.refused("list", "all"),
            "command line: 'tyto list' takes nothing more\n  expected  tyto list\n  found     all\n  try       tyto --help\n",
        )

    def test_an_unknown_option_is_refused_and_none_is_guessed(self):
        for option in ("--threads", "--che", "--qui"):
            self.assertEqual(
                self.refused("run", "run.yaml", option),
                f"command line: unknown option '{option}'\n"
                "  expected  --set KEY=VALUE, --over KEY=VALUES, --apart, --check, --compare NAMES, --verify, --analyze, --output FILE, --quiet, --help or --version\n  try       tyto --help\n",
            )

    def test_names_to_compare_are_checked_before_anything_runs(self):
        self.assertEqual(
            self.refused("run", "run.yaml", "--compare", "builtin"),
            "command line: --compare names one\n  expected  two or more, as in --compare petsc,trilinos\n  found     builtin\n  try       tyto --help\n",
        )
        self.assertEqual(
            self.refused("run", "run.yaml", "--compare", "builtin,petcs"),
            "command line: --compare knows no 'petcs'\n  expected  builtin, petsc, trilinos, cpu or reference\n  found     petcs\n  try       --compare petsc,trilinos\n",
        )

    def test_options_of_other_commands_are_refused(self):
        self.assertEqual(
            self.refused("run", "run.yaml", "--analyze"),
            "command line: 'tyto run' does not take --analyze\n  expected  it with 'tyto explain'\n  try       tyto --help\n",
        )
        self.assertEqual(
            self.refused("explain", "run.yaml", "--output", "x"),
            "command line: 'tyto explain' does not take --output\n"
            "  expected  it with 'tyto calibrate'; output.directory is a key of FILE.yaml\n  try       tyto --help\n",
        )

    def test_rates_that_cannot_be_written_are_refused_before_anything_is_measured(self):
        begin = time.monotonic()
        self.assertEqual(
            self.refused("calibrate", "--output", "run.yaml/rates.yaml"),
            "run.yaml/rates.yaml: the rates cannot be written\n  found     Not a directory\n"
            "  try       --output FILE in a folder that can be written, and TYTO_CALIBRATION=FILE to use it\n",
        )
        self.assertLess(time.monotonic() - begin, 3)

    def test_set_needs_a_key_and_a_value(self):
        self.assertEqual(
            self.refused("run", "run.yaml", "--set", "solver.seed"),
            "command line: --set has no value\n  expected  --set KEY=VALUE, as in --set solver.max_sweeps=5\n"
            "  found     --set solver.seed\n  try       tyto --help\n",
        )
        self.assertEqual(
            self.refused("run", "run.yaml", "--set"),
            "command line: the required argument for option '--set' is missing\n"
            "  expected  --set KEY=VALUE, --over KEY=VALUES, --apart, --check, --compare NAMES, --verify, --analyze, --output FILE, --quiet, --help or --version\n  try       tyto --help\n",
        )

    def test_an_option_of_another_command_is_refused(self):
        self.assertEqual(
            self.refused("check", "run.yaml", "--quiet"),
            "command line: 'tyto check' does not take --quiet\n  expected  it with 'tyto run'\n  try       tyto --help\n",
        )
        self.assertEqual(
            self.refused("list", "--set", "solver.seed=3"),
            "command line: 'tyto list' does not take --set\n  expected  it with a FILE.yaml\n  try       tyto --help\n",
        )


class Showing(HostTest):
    def shown(self, *words, **more):
        done = self.tyto(*words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.names(), ["data", "run.yaml"])
        return done.stdout

    def test_version(self):
        self.assertRegex(self.shown("--version"), r"^tyto \d+\.\d+\.\d+\n$")

    def test_help_names_every_command_and_exit_status(self):
        text = self.shown("--help")
        for word in ("tyto run FILE.yaml", "tyto resume DIR", "tyto check FILE.yaml", "tyto check-derivative FILE.yaml", "tyto explain", "tyto list", "tyto describe NAME", "tyto info FILE", "tyto calibrate", "--set", "--analyze", "--output FILE", "exit status: 0"):
            self.assertIn(word, text)
        self.assertEqual(text, self.shown("-h"))
        self.assertLessEqual(max(len(line) for line in text.splitlines()), 120)

    def test_check_of_a_right_file_says_so_and_writes_nothing(self):
        self.assertEqual(self.shown("check", "run.yaml"), "run.yaml is fine\n")

    def test_check_derivative_compares_every_unknown_and_writes_nothing(self):
        for words in ((), ("--set", "execution.executor=reference"), ("--set", "solver.init=hosvd", "--set", "solver.seed=7")):
            lines = self.shown("check-derivative", "run.yaml", *words).splitlines()
            self.assertRegex(lines[0], r"^objective  unknown  derivative            checked  +by  +largest difference  +allowed$")
            rows = [re.split("  +", line) for line in lines[1:7]]
            self.assertEqual([row[1] for row in rows], ["A_0", "A_0", "A_1", "A_1", "A_2", "A_2"])
            self.assertEqual([row[2] for row in rows], ["gradient", "Hessian times vector"] * 3)
            self.assertEqual([row[3] for row in rows[2:4]], ["3 directions, 8 of 603 entries", "3 directions"])
            for row in rows:
                self.assertLessEqual(float(row[5]), float(row[6]))
                self.assertEqual(row[4], "central differences")
                self.assertLess(float(row[6]), 1e-4)  # more digits than a wrong derivative would share
                self.assertEqual((row[0], row[7]), ("objective", "ok"))
            self.assertEqual(lines[7:], ["", "all 6 derivatives agree"])

    def test_check_derivative_of_fixed_unknowns_says_that_there_is_none(self):
        self.tyto("run", "run.yaml", "--set", "solver.max_sweeps=1")
        fixed = ", ".join(f"A_{n}: {{fixed: true, init: {{file: out/unknowns/A_{n}.npy}}}}" for n in range(3))
        done = self.tyto("check-derivative", "run.yaml", "--set", f"unknowns={{{fixed}}}")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "there is no derivative to check: every unknown is fixed\n", ""))

    def test_check_derivative_fails_where_one_does_not_agree(self):
        done = self.tyto("check-derivative", "run.yaml", "--set", "unknowns={A_1: {ridge: 1e308}}")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        lines = done.stdout.splitlines()
        self.assertRegex(lines[1], r" inf +inf  no$")
        self.assertRegex(lines[-1], r"^\d of 6 derivatives do not agree; the worst is the gradient of objective by A_0, direction 0: ")

    def test_explain_shows_the_plan_and_writes_nothing(self):
        text = self.shown("explain", "run.yaml")
        for word in ("cp-als   minimize 0.5*sum[", "Mflop", "memory: ", "why"):
            self.assertIn(word, text)

    def test_explain_says_whose_rates_it_used(self):
        self.assertIn("\nrates: built-in for avx2\n", self.shown("explain", "run.yaml"))
        self.assertIn("\nrates: built-in for portable\n", self.shown("explain", "run.yaml", environment={"TYTO_CALIBRATION": "portable"}))

    def test_explain_analyze_shows_predicted_and_measured_times(self):
        text = self.shown("explain", "run.yaml", "--analyze")
        self.assertIn("times in microseconds, the median of a few cycles; ratio: predicted / measured\n", text)
        steps = re.findall(r"^  \S.* = .* +(\d+\.\d\d) +(\d+\.\d\d) +\d+\.\d\d +\d+\.\d\d  \S", text, re.MULTILINE)
        self.assertGreater(len(steps), 10)
        self.assertTrue(all(float(predicted) > 0 for predicted, _ in steps), steps)
        self.assertNotIn("microseconds", self.shown("explain", "run.yaml"))

    def test_a_calibration_that_does_not_fit_is_a_note(self):
        done = self.tyto("explain", "run.yaml", environment={"TYTO_CALIBRATION": "nowhere.yaml"})
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("note: the calibration is not used, the built-in rates are"), 1, done.stderr)
        self.assertIn("\nrates: built-in for ", done.stdout)

    def test_list_has_a_line_for_each_algorithm(self):
        self.assertIn("cp-als", [line.split()[0] for line in self.shown("list").splitlines()])

    def test_list_shows_what_cannot_be_used_and_why(self):
        text = self.shown("list", environment={"TYTO_PLUGIN_PATH": f"{HERE.build}/plugins_bad/good:{HERE.build}/plugins_bad/other_api"})
        self.assertRegex(text, r"(?m)^good-one +1\.2\.3 +does nothing$")
        self.assertIn("was built for another version of the plugin API\n", text)

    def test_describe_shows_the_settings_of_an_algorithm(self):
        self.assertEqual(
            self.shown("describe", "cp-als"),
            "cp-als 1.1.0: CP decomposition by alternating least squares\n\nsettings\n"
            "rank  integer >= 1  mandatory  number of rank-one terms\n",
        )

    def test_describe_config_shows_every_section(self):
        text = self.shown("describe", "config")
        for word in ("algorithm", "method", "minimize", "define", "extents", "data", "solver", "max_sweeps", "execution", "memory_limit", "output", "expect"):
            self.assertIn(word, text)

    def test_describe_of_an_unknown_name_suggests_one(self):
        done = self.tyto("describe", "cp-asl")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertTrue(done.stderr.startswith("unknown plugin 'cp-asl'\n"), done.stderr)
        self.assertTrue(done.stderr.endswith("\n  try       cp-als\n"), done.stderr)

    def test_the_host_starts_fast(self):
        if not HERE.is_fast:
            self.skipTest("not a release build")
        for words, most in ((("--version",), 0.05), (("list",), 0.1)):
            times = []
            for _ in range(5):
                before = time.perf_counter()
                self.shown(*words)
                times.append(time.perf_counter() - before)
                if times[-1] < most:
                    break
            self.assertLess(min(times), 5 * most)  # a machine that is busy
            print(f"tyto {words[0]}: {1000 * min(times):.0f} ms")

    def test_a_reader_that_leaves_is_no_crash(self):
        for words in (("describe", "config"), ("--help",), ("list",)):
            process = self.begun(*words)
            process.stdout.close()
            self.assertIn(process.wait(timeout=50), (0, -13), words)  # -13: SIGPIPE, as for every other program
            self.assertEqual(process.stderr.read(), "")

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = self.tyto("--help", stdout=full)
        self.assertEqual((done.returncode, done.stderr), (1, "tyto: cannot write the output: No space left on device\n"))


class Info(HostTest):
    def info(self, name):
        done = self.tyto("info", name)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_coordinates_of_all_entries(self):
        self.assertEqual(
            self.info("data/aminoacid.txt"),
            "data/aminoacid.txt\n  format   Tensor-Toolbox sptensor, indices from 0\n  extents  5 x 201 x 61   (f64, order 3)\n"
            "  entries  61305\n  nonzeros 61282\n  range    -6.204 .. 938.499\n  norm     47991.95013\n",
        )

    def test_npy_with_missing_values(self):
        self.assertEqual(
            self.info("data/il2_response.npy"),
            "data/il2_response.npy\n  format   npy 1.0, C order\n  extents  13 x 4 x 12 x 8   (f64, order 4)\n"
            "  entries  4992\n  nonzeros 4164\n  range    0 .. 1\n  norm     18.4367812\n"
            "  not finite: 192 NaN, 0 infinite, the first at [3,3,0,0]\n"
            "  needs    `mask: {file: ...}` with 0 where NaN is and 1 elsewhere, and any number in place of NaN\n",
        )

    def test_coordinates_of_some_entries(self):
        self.assertEqual(
            self.info("data/formats/small4.tns"),
            "data/formats/small4.tns\n  format   FROSTT coordinates, indices from 1\n  extents  2 x 2 x 3 x 3   (f64, order 4)\n"
            "  entries  8\n  nonzeros 8\n  range    1 .. 5\n  norm     9.848857802\n"
            "  needs    `dense: true`, which takes 288 bytes and sets what is not listed to 0\n",
        )

    def test_ktensor(self):
        self.assertEqual(
            self.info("data/formats/pyttb_ktensor.tns"),
            "data/formats/pyttb_ktensor.tns\n  format   Tensor-Toolbox ktensor\n  extents  4 x 5 x 3   (f64, order 3)\n"
            "  entries  26\n  nonzeros 60\n  range    438 .. 1768\n  norm     7614.312838\n",
        )

    def test_a_missing_file_is_refused_with_the_nearest_name(self):
        done = self.tyto("info", "data/aminoacd.txt")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, 'data/aminoacd.txt: the file does not exist\n  try       "aminoacid.txt", which is in that folder\n')


if __name__ == "__main__":
    unittest.main()
