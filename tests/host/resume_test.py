#!/usr/bin/env python3
"""Runs that are interrupted or killed, and go on."""
import json
import signal
import time
import unittest

from host import HostTest

SLOW = ("--set", "settings.rank=5", "--set", "solver.tolerance=0", "--set", "solver.max_sweeps=400")  # a while, but not long


class Resume(HostTest):
    def rows(self, folder):
        rows = [json.loads(line) for line in (self.folder / folder / "history.jsonl").read_text().splitlines()]
        for row in rows:
            del row["seconds"]
        return rows

    def result(self, folder):
        result = json.loads((self.folder / folder / "result.json").read_text())
        return {key: result[key] for key in ("status", "reason", "objective", "relative_error", "sweeps", "starts", "weights", "warnings")}

    def unknowns(self, folder):
        return [(self.folder / folder / f"unknowns/A_{n}.npy").read_bytes() for n in range(3)]

    def check_same(self, folder, other):
        self.assertEqual(self.rows(folder), self.rows(other))
        self.assertEqual(self.result(folder), self.result(other))
        self.assertEqual(self.unknowns(folder), self.unknowns(other))

    def begun_run(self, *words):
        process = self.begun("run", "run.yaml", *SLOW, *words)
        self.assertIn("sweep    1", process.stdout.readline())
        return process

    def whole(self, *words):
        done = self.tyto("run", "run.yaml", *SLOW, "--quiet", "--set", "output.directory=whole", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def resumed(self, *words, **more):
        done = self.tyto("resume", *words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refused(self, *words):
        done = self.tyto("resume", *words)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        return done.stderr

    def test_an_interrupted_run_gives_what_it_would_have_given(self):
        self.whole()
        process = self.begun_run()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(self.result("out")["status"], "interrupted")
        seconds = json.loads((self.folder / "out/result.json").read_text())["seconds"]
        text = self.resumed("out", folder=self.folder)
        self.assertIn("written to out: result.json, history.jsonl, unknowns/*.npy, ktensor.txt, report.html, checkpoint\n", text)
        self.check_same("out", "whole")
        self.assertGreater(json.loads((self.folder / "out/result.json").read_text())["seconds"], seconds)

    def test_a_run_that_is_killed_while_it_writes_goes_on_from_the_last_checkpoint(self):
        self.whole()
        process = self.begun_run("--set", "output.checkpoint=1")
        for attempt in range(6):
            time.sleep(0.02 * (attempt + 1))
            process.kill()
            process.communicate()
            self.assertIn("checkpoint", self.names("out"))
            before = len(self.rows("out"))
            process = self.begun("resume", "out")
            for _ in range(5):
                process.stdout.readline()
            self.assertGreaterEqual(len(self.rows("out")), before - 1)  # the one that no checkpoint has is swept again
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.check_same("out", "whole")
        self.assertFalse([name for name in self.names("out") if name.endswith(".part")])

    def test_it_can_be_resumed_from_anywhere_and_where_it_was_moved(self):
        self.whole()
        process = self.begun_run()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        (self.folder / "out").rename(self.folder / "moved")
        (self.folder / "elsewhere").mkdir()
        self.resumed("../moved", folder=self.folder / "elsewhere")
        self.check_same("moved", "whole")

    def test_other_limits_may_be_set(self):
        self.tyto("run", "run.yaml", "--set", "solver.max_sweeps=3", "--set", "solver.tolerance=0", "--quiet")
        self.tyto("run", "run.yaml", "--set", "solver.max_sweeps=8", "--set", "solver.tolerance=0", "--quiet", "--set", "output.directory=whole")
        text = self.resumed("out", "--set", "solver.max_sweeps=8")
        self.assertEqual([line.split()[1] for line in text.splitlines() if line.startswith("sweep ")], ["4", "5", "6", "7", "8"])
        self.check_same("out", "whole")

    def test_a_run_by_a_method_goes_on(self):
        objective = (
            "minimize: 0.5 * norm2(X[i,j,k] - A_0[i,r] * A_1[j,r] * A_2[k,r])\n"
            "data: {X: {file: data/aminoacid.txt, dense: true}}\nextents: {r: 3}\nunknowns: {A_0: {}, A_1: {}, A_2: {}}\n"
        )
        for method in ("alternating", "gauss-newton"):
            limits = "solver: {tolerance: 0, max_sweeps: %d}\noutput: {directory: %s, overwrite: true}\n"
            self.write("run.yaml", f"method: {method}\n" + objective + limits % (9, "whole"))
            self.assertEqual(self.tyto("run", "run.yaml").returncode, 0)
            self.write("run.yaml", f"method: {method}\n" + objective + limits % (4, "out"))
            self.assertEqual(self.tyto("run", "run.yaml").returncode, 0)
            self.resumed("out", "--set", "solver.max_sweeps=9")
            self.assertEqual(self.rows("out"), self.rows("whole"))
            self.assertEqual(self.unknowns("out"), self.unknowns("whole"))

    def test_minimizers_of_petsc_begin_anew_and_reach_the_same_minimum(self):
        settings = ("--set", "algorithm=cp", "--set", "settings={rank: 3, method: quasi-newton}", "--set", "solver.tolerance=1e-14", "--set", "solver.max_sweeps=5000")
        whole = self.tyto("run", "run.yaml", *settings, "--set", "output.directory=whole", "--quiet")
        if "petsc" in whole.stderr and whole.returncode == 2:
            self.skipTest("without PETSc")
        self.assertEqual((whole.returncode, whole.stderr), (0, ""))
        self.tyto("run", "run.yaml", *settings, "--set", "solver.max_sweeps=60", "--quiet")
        text = self.resumed("out", "--set", "solver.max_sweeps=5000")
        self.assertIn("note: petsc-lmvm owns its loop: it begins anew from the unknowns of the checkpoint\n", text)
        self.assertIn("\nsweep   61  ", text)
        found, wanted = (self.result(folder)["relative_error"] for folder in ("out", "whole"))
        self.assertLess(abs(found / wanted - 1), 1e-8)

    def test_what_makes_it_another_problem_is_refused_and_changes_nothing(self):
        self.tyto("run", "run.yaml", "--set", "solver.max_sweeps=3", "--quiet")
        before = {name: (self.folder / "out" / name).read_bytes() for name in ("checkpoint", "history.jsonl", "result.json")}
        self.assertEqual(
            self.refused("out", "--set", "settings.rank=4"),
            "--set settings.rank=4: a run that is resumed cannot have another settings.rank\n  expected  3, as in the checkpoint\n"
            "  found     4\n  try       tyto run; solver.init: {file: FOLDER} starts from the unknowns of an earlier run\n",
        )
        error = self.refused("out", "--set", "data.X.file=data/il2_response.npy", "--set", "data.X.mask.file=data/il2_mask.npy")
        self.assertNotEqual(error, "")
        self.write("small.tns", "1 1 1 2.0\n2 2 2 3.0\n")
        self.assertEqual(
            self.refused("out", "--set", "data.X.file=small.tns", "--set", "data.X.dense=true"),
            "--set data.X.file=small.tns: the input X is not that of the checkpoint\n  expected  5 x 201 x 61 f64, norm 47991.95013\n"
            "  found     2 x 2 x 2 f64, norm 3.605551275\n  try       the data of the interrupted run\n",
        )
        for name, content in before.items():
            self.assertEqual((self.folder / "out" / name).read_bytes(), content)

    def test_folders_and_files_that_are_none_are_refused(self):
        self.assertEqual(
            self.refused("nowhere"),
            "nowhere: this is no folder\n  expected  the output folder of a run\n  found     nothing of that name\n  try       ls nowhere\n",
        )
        self.assertEqual(
            self.refused("data"),
            "data: the folder holds no checkpoint\n  expected  the output folder of a run\n  found     no file 'checkpoint' in it\n"
            "  try       tyto run; output.checkpoint says when a run leaves one\n",
        )
        self.tyto("run", "run.yaml", "--set", "solver.max_sweeps=3", "--quiet")
        file = self.folder / "out/checkpoint"
        whole = file.read_bytes()
        file.write_bytes(whole[:5000])
        self.assertEqual(
            self.refused("out"),
            f"out/checkpoint: the file ends too early\n  expected  {len(whole)} bytes\n  found     5000 bytes\n  try       an intact copy of it\n",
        )
        file.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
        self.assertEqual(
            self.refused("out"),
            "out/checkpoint: the file is damaged\n  expected  what was written\n  found     another checksum\n  try       an intact copy of it\n",
        )
        file.write_bytes(whole.replace(b"tyto checkpoint 1\n", b"tyto checkpoint 2\n", 1))
        self.assertEqual(
            self.refused("out"),
            "out/checkpoint: a newer tyto wrote this file\n  expected  tyto checkpoint of schema 1 or older\n  found     schema 2\n"
            "  try       the tyto that wrote it, or a newer one\n",
        )
        file.write_bytes(b"{}\n")
        self.assertEqual(
            self.refused("out"),
            "out/checkpoint: this is no tyto checkpoint\n  expected  a file that begins with \"tyto checkpoint\"\n"
            '  found     "{} " (7b 7d 0a)\n',
        )

    def test_a_new_run_into_the_folder_takes_the_old_checkpoint_away(self):
        self.tyto("run", "run.yaml", "--set", "solver.max_sweeps=3", "--quiet")
        self.tyto("run", "run.yaml", "--set", "output={directory: out, overwrite: true, checkpoint: 0}", "--quiet")
        self.assertIn("out: the folder holds no checkpoint\n", self.refused("out"))


if __name__ == "__main__":
    unittest.main()
