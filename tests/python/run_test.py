#!/usr/bin/env python3
"""tyto.run and its neighbours: what they give the program, and what they make of what it wrote."""
import gc
import json
import logging
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

import numpy as np

from here import HERE, FolderTest
import tyto

AMINOACID = HERE.source / "share/data/aminoacid.txt"
X = np.einsum("ir,jr,kr->ijk", *(np.random.default_rng(7).random((extent, 2)) for extent in (4, 5, 6)))
SHORT = {"solver": {"max_sweeps": 3}, "output": {"report": False}}


class Run(FolderTest):
    def test_a_result_holds_what_the_program_wrote(self):
        config = {"algorithm": "cp-als", "data": {"X": {"file": AMINOACID}}, "settings": {"rank": 3}}
        result = tyto.run(config, keep="kept")
        self.assertEqual(sorted(path.name for path in pathlib.Path("kept").iterdir()), ["out", "run.json"])
        self.assertTrue(result.converged)
        self.assertAlmostEqual(result.relative_error, 0.02504852, delta=1e-7)
        self.assertEqual(result.record, json.loads(pathlib.Path("kept/out/result.json").read_text()))
        self.assertEqual({name: array.shape for name, array in result.unknowns.items()}, {"A_0": (5, 3), "A_1": (201, 3), "A_2": (61, 3)})
        np.testing.assert_array_equal(result["A_1"], np.load("kept/out/unknowns/A_1.npy"))
        self.assertEqual([row["sweep"] for row in result.history], list(range(1, result.sweeps + 1)))
        self.assertEqual(result.history[-1]["objective"], result.objective)
        self.assertIn("<html", result.report.read_text())
        self.assertRegex(repr(result), r"^<tyto.Result: relative error 0.02504852; converged: relative change .*; A_0 \(5, 3\), ")
        self.assertEqual(tyto.read("kept/out").record, result.record)

    def test_what_is_kept_runs_again_from_the_command_line(self):
        tyto.cp_als(X, rank=2, keep="kept", **SHORT)
        before = np.load("kept/out/unknowns/A_0.npy")
        words = [str(HERE.host), "run", "kept/run.json", "--set", "output.overwrite=true"]
        self.assertEqual(subprocess.run(words, capture_output=True).returncode, 0)
        np.testing.assert_array_equal(np.load("kept/out/unknowns/A_0.npy"), before)

    def test_files_are_there_as_long_as_the_result(self):
        result = tyto.cp_als(X, rank=2, **SHORT)
        self.assertTrue((result.folder / "result.json").exists())
        del result
        gc.collect()
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_an_array_may_stand_wherever_a_file_may(self):
        known = np.asfortranarray(np.random.default_rng(1).random((4, 2)))
        mask = np.ones(X.shape, dtype=bool)
        mask[0, 0, 0] = False
        config = {
            "algorithm": "cp-als",
            "settings": {"rank": np.int64(2)},
            "data": {"X": {"mask": mask, "modes": ("a", "b", "c")}},
            "unknowns": {"A_a": {"fixed": True, "init": known}},
            **SHORT,
        }
        result = tyto.run(config, X=X.astype(np.float32), keep="kept")
        np.testing.assert_array_equal(result["A_a"], known)
        self.assertEqual(sorted(path.name for path in pathlib.Path("kept").glob("*.npy")), ["A_a.init.npy", "X.mask.npy", "X.npy"])
        self.assertEqual(np.load("kept/X.mask.npy").dtype, np.int16)

    def test_every_kind_of_number_is_read(self):
        numbers = np.arange(1, 25).reshape(2, 3, 4)
        for kind in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "longdouble"):
            with self.subTest(kind=kind):
                result = tyto.cp_als(numbers.astype(kind), rank=1, **SHORT)
                self.assertAlmostEqual(result.record["data"][0]["norm"] / np.linalg.norm(numbers.astype(kind).astype(float)), 1, places=12)
        self.assertEqual(tyto.cp_als([[1, 2], [3, 4]], rank=1, **SHORT).record["data"][0]["shape"], [2, 2])

    def test_lines_go_to_the_caller_or_to_the_logger(self):
        lines = []
        tyto.cp_als(X, rank=2, on_message=lines.append, **SHORT)
        self.assertRegex(lines[0], r"^sweep    1  relative error ")
        with self.assertLogs("tyto", logging.INFO) as logged:
            tyto.cp_als(X, rank=2, **SHORT)
        said = [record.getMessage() for record in logged.records]
        self.assertEqual([line.split()[:3] for line in said[:3]], [line.split()[:3] for line in lines[:3]])

    def test_an_interruption_leaves_a_result(self):
        def interrupt(line):
            if line.startswith("sweep    2"):
                os.kill(os.getpid(), signal.SIGINT)

        endless = {"max_sweeps": 1000000000, "tolerance": 0}
        result = tyto.cp_als(X + 1e-3 * np.random.default_rng(3).random(X.shape), rank=2, solver=endless, on_message=interrupt)
        self.assertEqual(result.status, "interrupted")
        self.assertGreaterEqual(result.sweeps, 2)

    def test_what_a_callback_raises_ends_the_program(self):
        def fail(line):
            raise RuntimeError(line)

        with self.assertRaises(RuntimeError):
            tyto.cp_als(X, rank=2, solver={"max_sweeps": 1000000000, "tolerance": 0}, on_message=fail)
        self.assertEqual(list(self.temporary.iterdir()), [])


class Wrong(FolderTest):
    def test_errors_have_the_words_of_the_program(self):
        text = self.raised(tyto.run, {"algorithm": "cp-als", "settings": {"rnak": 2}}, X=X)
        self.assertEqual(text, "run.json:4:5: unknown key 'settings.rnak'\n  expected  rank\n  found     rnak\n  try       rank")
        for call in (tyto.check, tyto.explain):
            self.assertEqual(self.raised(call, {"algorithm": "cp-als", "settings": {"rnak": 2}}, X=X), text)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_an_earlier_result_is_not_taken_for_that_of_a_refused_run(self):
        tyto.cp_als(X, rank=2, keep="kept", **SHORT)
        with self.assertRaises(tyto.Error) as context:
            tyto.cp_als(X, rank=2, keep="kept", **SHORT)
        self.assertIn("kept/out is not empty\n", str(context.exception))
        self.assertEqual((context.exception.status, context.exception.result), (2, None))

    def test_a_run_that_must_converge_and_does_not_has_its_result_in_the_error(self):
        with self.assertRaises(tyto.Error) as context:
            tyto.cp_als(X, rank=2, solver={"max_sweeps": 2, "require_convergence": True})
        self.assertEqual(str(context.exception), "limit: sweep limit of 2")
        self.assertEqual((context.exception.status, context.exception.result.sweeps), (3, 2))

    def test_what_python_finds_is_said_in_the_same_form(self):
        self.assertEqual(
            self.raised(tyto.run, "run.yaml"),
            "a configuration is a dict\n  expected  the keys of a run file\n  found     str\n  try       {\"algorithm\": \"cp-als\", ...}",
        )
        self.assertEqual(
            self.raised(tyto.cp_als, X, rank=2, host="/nowhere/tyto"),
            "host names no program\n  expected  the path of the program tyto\n  found     /nowhere/tyto",
        )
        self.assertEqual(self.raised(tyto.read, "nowhere"), "nowhere holds no result\n  expected  result.json, as in output.directory of a run")
        self.assertIn("expected  alternating, cp, cp-als, ", self.raised(tyto.algorithm, "cp-asl"))
        self.assertEqual(
            self.raised(tyto.factors, (1, 2)),
            "this is no CP decomposition\n  expected  (weights, [factors]), ([factors], weights) or [factors]\n  found     tuple",
        )
        self.assertEqual(
            self.raised(tyto.cp_als, X, rank=2, start=[X[:, 0, :2], X[0, :, :2]]),
            "the start has another number of factors than X has modes\n  expected  3\n  found     2",
        )
        self.assertEqual(
            self.raised(tyto.cp_als, X, rank=2, solver={"seed": {1}}),
            "'solver.seed' is nothing that a run file has\n  expected  text, number, True or False, list, dict or array\n  found     set",
        )
        pathlib.Path("file").touch()
        self.assertEqual(self.raised(tyto.cp_als, X, rank=2, keep="file"), "keep: the folder file cannot be made\n  found     File exists")
        with self.assertRaisesRegex(KeyError, "no 'B' among A_0, A_1, A_2"):
            tyto.cp_als(X, rank=2, **SHORT)["B"]


class Program(FolderTest):
    def found(self, module, environment):
        code = "import tyto; print(tyto._program(None))"
        kept = {name: value for name, value in os.environ.items() if name != "TYTO"}
        done = subprocess.run([sys.executable, "-c", code], env={**kept, "PYTHONPATH": str(module), **environment}, capture_output=True, text=True)
        return done.stdout.strip() or done.stderr.strip().splitlines()[-4:]

    def test_it_is_found_in_the_environment_on_the_path_or_beside_the_file(self):
        installed = self.folder / "usr/share/tyto/python"
        for place in (installed, self.folder / "usr/bin", self.folder / "other"):
            place.mkdir(parents=True)
        shutil.copy(HERE.source / "share/python/tyto.py", installed)
        for place in ("usr/bin", "other"):
            (self.folder / place / "tyto").symlink_to(HERE.host)
        path = {"PATH": "/usr/bin:/bin"}
        self.assertEqual(self.found(installed, path), str(self.folder / "usr/bin/tyto"))
        on_path = {"PATH": f"{self.folder}/other:/usr/bin:/bin"}
        self.assertEqual(self.found(installed, on_path), str(self.folder / "other/tyto"))
        self.assertEqual(self.found(installed, {**on_path, "TYTO": str(HERE.host)}), str(HERE.host))
        (self.folder / "usr/bin/tyto").unlink()
        self.assertRegex(self.found(installed, path)[0], "the program tyto is not found$")


class Algorithms(FolderTest):
    def test_an_algorithm_is_a_function_with_its_settings_in_the_docstring(self):
        tucker = tyto.algorithm("tucker-hooi")
        self.assertIn("ranks", tucker.__doc__)
        result = tucker(X, ranks=[2, 2, 2], solver={"seed": 3})
        self.assertLess(result.relative_error, 1e-6)
        self.assertEqual(result.record["seed"], 3)
        self.assertEqual(tucker(X=X, ranks=np.array([2, 2, 2])).record["config"]["settings"]["ranks"], [2, 2, 2])

    def test_an_algorithm_without_data_runs_and_observes(self):
        result = tyto.algorithm("dmrg")(model={"name": "heisenberg", "sites": 8}, maxdim=[8, 16], local="Sz")
        self.assertAlmostEqual(result["energy"], -3.374932598687897, places=9)
        self.assertEqual(result["Sz"].shape, (8,))
        self.assertIn("psi[0]", result.unknowns)


if __name__ == "__main__":
    unittest.main()
