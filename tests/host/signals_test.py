#!/usr/bin/env python3
"""Runs that are interrupted, killed, or whose folder is taken."""
import json
import os
import shutil
import signal
import struct
import unittest

from host import HostTest

ENDLESS = ("--set", "solver.max_sweeps=1000000000", "--set", "solver.tolerance=0")


class Signals(HostTest):
    def running(self, *words):
        """An endless run that has finished its first sweep."""
        process = self.begun("run", "run.yaml", *ENDLESS, *words)
        self.assertIn("sweep    1", process.stdout.readline())
        return process

    def status(self):
        return json.loads((self.folder / "out/result.json").read_text())["status"]

    def test_an_interrupted_run_finishes_its_sweep_and_writes_the_result(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.running("--set", "output.overwrite=true")
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
            self.assertEqual(err, "finishing the sweep; a second signal ends the run at once, without a result\n")
            self.assertRegex(out, r"\ninterrupted: interrupted after sweep \d+   \(\d+ sweeps, ")
            self.assertEqual(self.status(), "interrupted")
            for name in ("report.html", "ktensor.txt", "unknowns/A_0.npy", "history.jsonl"):
                self.assertIn(name, self.names("out"))

    def test_an_interrupted_run_that_must_converge_has_exit_status_3(self):
        process = self.running("--set", "solver.require_convergence=true")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)

    def test_an_interruption_ends_all_starts(self):
        process = self.running("--set", "solver.starts=3")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertNotIn("start  1", out)

    def test_a_second_signal_ends_the_run_at_once(self):
        extent = 150
        header = f"{{'descr': '<i2', 'fortran_order': False, 'shape': ({extent}, {extent}, {extent}), }}"
        header += " " * (-(10 + len(header) + 1) % 64) + "\n"
        with open(self.folder / "large.npy", "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + os.urandom(2 * extent**3))
        self.write("run.yaml", "algorithm: cp-als\ndata: {X: {file: large.npy}}\nsettings: {rank: 150}\noutput: {directory: out}\n")
        process = self.running()
        process.send_signal(signal.SIGINT)
        self.assertIn("finishing the sweep", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(self.names("out"), ["history.jsonl"])

    def test_a_killed_run_leaves_its_history_and_no_result(self):
        process = self.running()
        process.kill()
        process.communicate()
        self.assertEqual(self.names("out"), ["history.jsonl"])
        first = (self.folder / "out/history.jsonl").read_text().splitlines()[0]
        self.assertEqual(json.loads(first)["sweep"], 1)

    def test_a_second_run_into_one_folder_is_refused_while_the_first_goes_on(self):
        first = self.running()
        second = self.tyto("run", "run.yaml")
        self.assertEqual((second.returncode, second.stdout), (2, ""))
        self.assertEqual(
            second.stderr,
            "run.yaml:4:21: the output folder out is not empty\n  expected  an empty folder or none\n  found     history.jsonl\n"
            "  try       output.overwrite: true, or another output.directory\n",
        )
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=60)
        self.assertEqual(first.returncode, 0)
        self.assertEqual(self.status(), "interrupted")

    def test_a_run_goes_on_when_nobody_reads_its_output_any_more(self):
        process = self.begun("run", "run.yaml")
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual(process.stderr.read(), "")
        self.assertEqual(self.status(), "converged")

    def test_a_folder_that_vanishes_during_the_run_is_an_error_after_the_first_sweep(self):
        process = self.running()
        shutil.rmtree(self.folder / "out")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("while     writing a checkpoint\n", err + "\n")


if __name__ == "__main__":
    unittest.main()
