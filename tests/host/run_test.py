#!/usr/bin/env python3
"""`tyto run`: what it prints, what it writes and its exit status."""
import json
import unittest
import xml.etree.ElementTree

from host import HostTest


class Run(HostTest):
    def run_file(self, *words):
        return self.tyto("run", "run.yaml", *words)

    def test_prints_a_line_per_sweep_and_then_the_result(self):
        done = self.run_file()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        progress, result = done.stdout.split("\n\n")
        lines = progress.splitlines()
        sweeps = len(lines)
        for k, line in enumerate(lines):
            self.assertRegex(line, rf"^sweep +{k + 1}  relative error 0\.\d+ ")
        last = result.splitlines()
        self.assertRegex(last[0], r"^relative error 0\.0250485 at rank 3   \(99\.93\d\d % explained\)$")
        self.assertRegex(last[1], rf"^converged: relative change of the objective \S+ <= 1e-10   \({sweeps} sweeps, \d+\.\d\d s\)$")
        self.assertEqual(last[2], "written to out: result.json, history.jsonl, unknowns/*.npy, ktensor.txt, report.html, checkpoint")
        self.assertEqual(len(last), 3)
        self.assertEqual(
            self.names("out"),
            ["checkpoint", "history.jsonl", "ktensor.txt", "report.html", "result.json", "unknowns", "unknowns/A_0.npy", "unknowns/A_1.npy", "unknowns/A_2.npy"],
        )
        self.assertEqual(len((self.folder / "out/history.jsonl").read_text().splitlines()), sweeps)

    def test_quiet_leaves_out_the_sweeps(self):
        done = self.run_file("--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("sweep  ", done.stdout)
        self.assertIn("relative error 0.0250485 at rank 3", done.stdout)

    def test_set_overrides_the_file(self):
        done = self.run_file("--set", "solver.max_sweeps=2", "--set", "settings.rank=1", "--set", "output.directory=elsewhere")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(" at rank 1 ", done.stdout)
        self.assertIn("\nstopped at a limit: sweep limit of 2   (2 sweeps, ", done.stdout)
        self.assertIn("elsewhere", self.names())
        self.assertNotIn("out", self.names())

    def test_without_a_folder_nothing_is_written(self):
        self.write("run.yaml", "algorithm: cp-als\ndata: {X: {file: data/aminoacid.txt}}\nsettings: {rank: 1}\n")
        done = self.run_file()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("written", done.stdout)
        self.assertEqual(self.names(), ["data", "run.yaml"])

    def test_only_the_formats_asked_for_are_written_and_listed(self):
        done = self.run_file("--set", "output.formats=[ktensor]", "--set", "output.report=false")
        self.assertIn("\nwritten to out: result.json, history.jsonl, ktensor.txt, checkpoint\n", done.stdout)
        self.assertEqual(self.names("out"), ["checkpoint", "history.jsonl", "ktensor.txt", "result.json"])

    def test_plots_are_written_where_they_are_asked_for(self):
        done = self.run_file("--quiet", "--set", "output.plots=true", "--set", "output.formats=[ktensor]", "--set", "output.checkpoint=0")
        self.assertIn("\nwritten to out: result.json, history.jsonl, ktensor.txt, report.html, plots/*.svg\n", done.stdout)
        self.assertEqual(self.names("out/plots"), ["A_0.svg", "A_1.svg", "A_2.svg", "change.svg", "convergence.svg"])
        for plot in (self.folder / "out/plots").iterdir():
            xml.etree.ElementTree.parse(plot)  # fails where it is not well formed

    def test_the_match_with_an_earlier_result_is_said_once(self):
        self.run_file("--quiet")
        done = self.run_file("--quiet", "--set", "output.directory=again", "--set", "compare_to=out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        said = "note: factor match score 1 with out (1 without weights): columns 0, 1, 2 are 0, 1, 2 there, with signs +++, +++, +++\n"
        self.assertEqual(done.stdout.count(said), 1)
        match = json.loads((self.folder / "again/result.json").read_text())["factor_match"]
        self.assertEqual((match["permutation"], match["reference"]), ([0, 1, 2], "out"))

    def test_overwrite_leaves_nothing_of_the_earlier_run(self):
        self.run_file("--quiet")
        done = self.run_file("--quiet", "--set", "output.overwrite=true", "--set", "output.report=false", "--set", "output.formats=[npy]")
        self.assertIn("\nwritten to out: result.json, history.jsonl, unknowns/*.npy, checkpoint\n", done.stdout)
        self.assertEqual(self.names("out"), ["checkpoint", "history.jsonl", "result.json", "unknowns", "unknowns/A_0.npy", "unknowns/A_1.npy", "unknowns/A_2.npy"])

    def test_a_result_that_is_expected_passes_the_check(self):
        done = self.run_file("--check", "--set", "expect={relative_error: 0.02504852, tolerance: 1e-6}")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_every_unmet_expectation_is_named(self):
        expected = "expect={relative_error: 0.5, objective: 2.0, tolerance: 0.01}"
        done = self.run_file("--check", "--set", "settings.rank=1", "--set", expected)
        self.assertEqual(done.returncode, 1)
        lines = done.stderr.splitlines()
        self.assertRegex(lines[0], r"^relative error is 0\.596741\d*, expected 0\.5 to 0\.01$")
        self.assertRegex(lines[1], r"^objective is \d+\.?\d*, expected 2 to 0\.02$")
        self.assertEqual(len(lines), 2)
        self.assertIn("result.json", self.names("out"))  # for a look at what went wrong

    def test_expectations_are_not_compared_unless_asked_for(self):
        self.assertEqual(self.run_file("--set", "expect={relative_error: 0.5}").returncode, 0)

    def test_a_run_that_must_converge_and_does_not_has_exit_status_3(self):
        limits = ("--set", "solver.max_sweeps=2", "--set", "solver.require_convergence=true")
        self.assertEqual(self.run_file(*limits).returncode, 3)
        outcome = json.loads((self.folder / "out/result.json").read_text())
        self.assertIn("sweep limit of 2", json.dumps(outcome))

    def test_several_starts_are_told_apart(self):
        done = self.run_file("--set", "solver.starts=2", "--set", "solver.max_sweeps=2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        starts = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("start ")]
        self.assertEqual(starts, ["0", "0", "1", "1"])
        self.assertRegex(done.stdout, r"\nrelative error \S+ at rank 3, from start [01]   \(")


if __name__ == "__main__":
    unittest.main()
