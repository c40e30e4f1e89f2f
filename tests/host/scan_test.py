#!/usr/bin/env python3
"""Scans of one key: values against exact ones, folders and files, interruption, and what is refused while it goes on."""
import csv
import json
import math
import signal
import unittest

from host import HostTest

TFIM = """\
algorithm: dmrg
settings: {model: {name: tfim, sites: 10}, maxdim: [10, 20]}
solver: {tolerance: 1e-12}
output: {directory: out, report: false}
"""


def eigenvalues(matrix):
    """Of a symmetric matrix, by Jacobi's rotations."""
    a, n = [row[:] for row in matrix], len(matrix)
    for _ in range(60):
        for p in range(n):
            for q in range(p + 1, n):
                if a[p][q] == 0:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
                c = 1 / math.hypot(t, 1)
                s = t * c
                for k in range(n):
                    a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
                for k in range(n):
                    a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
    return [a[k][k] for k in range(n)]


def tfim_energy(sites, g):
    """Of the open chain -sum ZZ - g sum X: free fermions, minus the sum of the singular values of a bidiagonal matrix (Pfeuty 1970)."""
    gram = [[0.0] * sites for _ in range(sites)]
    for k in range(sites):
        gram[k][k] = g * g + (1 if k > 0 else 0)
        if k > 0:
            gram[k][k - 1] = gram[k - 1][k] = g
    return -sum(math.sqrt(max(x, 0)) for x in eigenvalues(gram))


class Scans(HostTest):
    def scanned(self, *words, status=0):
        done = self.tyto("scan", "run.yaml", *words)
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        return done.stdout, self.json()

    def json(self):
        return json.loads((self.folder / "out/scan.json").read_text())

    def rows(self):
        with open(self.folder / "out/scan.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_the_exact_formula_is_that_of_two_sites(self):
        self.assertAlmostEqual(tfim_energy(2, 0.7), -math.hypot(1, 2 * 0.7), places=12)

    def test_a_field_is_scanned_both_ways_to_the_exact_energies(self):
        self.write("run.yaml", TFIM)
        out, scan = self.scanned("--set", "settings.model.g=0.5:1.5:0.25")
        self.assertEqual((scan["schema"], scan["status"], scan["key"], scan["values"]), (1, "done", "settings.model.g", 5))
        self.assertEqual([p["value"] for p in scan["points"]], ["0.5", "0.75", "1", "1.25", "1.5"])
        for point, row in zip(scan["points"], self.rows()):
            exact = tfim_energy(10, float(point["value"]))
            self.assertLess(abs(point["objective"] - exact), 1e-9 * abs(exact))
            self.assertLess(abs(point["observed"]["energy"] - exact), 1e-9 * abs(exact))
            self.assertEqual(point["objective"], min(r["objective"] for r in point["runs"]))
            self.assertFalse(point["passes_differ"])
            self.assertEqual(len(point["observed"]["psi.entropy"]), 9)
            self.assertEqual(float(row["objective"]), point["objective"])
            self.assertEqual(row["settings.model.g"], point["value"])
            for run in point["runs"]:
                result = json.loads((self.folder / "out" / run["folder"] / "result.json").read_text())
                self.assertEqual(result["objective"], run["objective"])
        starts = [[r["start"] for r in p["runs"]] for p in scan["points"]]
        self.assertEqual(starts, [[None, "0.75"], ["0.5", "1"], ["0.75", "1.25"], ["1", "1.5"], ["1.25"]])
        fidelities = [p["fidelity_with_next"]["psi"] for p in scan["points"]]
        self.assertIsNone(fidelities[-1])
        self.assertTrue(all(0.5 < f < 1 for f in fidelities[:-1]), fidelities)
        self.assertIn("both passes end at the same objectives\nwritten to out: scan.json, scan.csv, scan.html, and a folder for each run\n", out)
        self.assertEqual(len([line for line in out.splitlines() if line.startswith("g = ")]), 9)

    def test_a_run_that_starts_from_its_neighbour_says_so_in_its_own_configuration(self):
        self.write("run.yaml", TFIM)
        self.scanned("--over", "settings.model.g=[1, 1.1]", "--quiet")
        result = json.loads((self.folder / "out/forward/g=1.1/result.json").read_text())
        self.assertEqual(result["config"]["solver"]["init"], {"file": "out/forward/g=1"})

    def test_passes_that_end_in_different_minima_are_told_apart_and_the_lower_one_is_kept(self):
        # (x^2 - 1)^2 + h x has two minima for |h| < 8 / sqrt(27): each pass stays in the one that it comes from
        self.write("run.yaml", "method: newton\nminimize: x\nextents: {i: 1}\nunknowns: {x: {}}\nsolver: {init: ones}\noutput: {directory: out}\n")
        tilts = {"- 2": False, "- 1": True, "+ 0.01": True, "+ 1": True, "+ 2": False}
        values = ", ".join(f'"sum(square(square(x[i]) - 1) {tilt} * x[i])"' for tilt in tilts)
        out, scan = self.scanned("--over", f"minimize=[{values}]", "--quiet")
        self.assertEqual([p["passes_differ"] for p in scan["points"]], list(tilts.values()))
        self.assertEqual([p["kept"] for p in scan["points"]][1:4], ["forward", "backward", "backward"])
        self.assertIn("both passes end at different objectives at ", out)
        self.assertIn("objective of both passes", (self.folder / "out/scan.html").read_text())

    def test_ranks_start_apart_and_errors_fall(self):
        out, scan = self.scanned("--set", "settings.rank=1:4:1", "--set", "output.plots=true", "--quiet")
        self.assertEqual([len(p["runs"]) for p in scan["points"]], [1, 1, 1, 1])
        self.assertEqual([p["runs"][0]["start"] for p in scan["points"]], [None] * 4)
        self.assertEqual(scan["why_apart"], "at 2, the start of A_0 has another shape than A_0 (5 x 1 in out/forward/rank=1/unknowns/A_0.npy in place of 5 x 2)")
        errors = [p["relative_error"] for p in scan["points"]]
        self.assertEqual(errors, sorted(errors, reverse=True))
        one = self.tyto("run", "run.yaml", "--set", "output.directory=one")
        self.assertEqual(one.returncode, 0)
        self.assertEqual(json.loads((self.folder / "one/result.json").read_text())["relative_error"], errors[2])
        self.assertIn("plots/relative error.svg", self.names("out"))
        page = (self.folder / "out/scan.html").read_text()
        self.assertIn('<a href="forward/rank=3/report.html">3</a>', page)
        self.assertNotIn("http://", page.replace("http://www.w3.org", ""))
        self.assertEqual(out.splitlines()[0].split(), ["settings.rank", "relative", "error", "sweeps"])

    def test_ridges_start_from_each_other_unless_told_otherwise(self):
        over = ("--over", "unknowns.*.ridge=[0, 1, 100]", "--quiet")
        _, scan = self.scanned(*over)
        self.assertIsNone(scan["why_apart"])
        self.assertEqual([r["start"] for p in scan["points"] for r in p["runs"]], [None, "1", "0", "100", "1"])
        _, scan = self.scanned(*over, "--apart", "--set", "output.overwrite=true")
        self.assertEqual(scan["why_apart"], "that was asked for")
        self.assertEqual([r["start"] for p in scan["points"] for r in p["runs"]], [None] * 3)

    def test_seeds_never_start_from_each_other(self):
        _, scan = self.scanned("--set", "solver.seed=1:2:1", "--set", "solver.max_sweeps=2")
        self.assertEqual(scan["why_apart"], "solver.seed says how runs start")
        self.assertNotEqual(*[p["objective"] for p in scan["points"]])

    def test_check_compares_every_value(self):
        done = self.tyto("scan", "run.yaml", "--set", "settings.rank=2:3:1", "--set", "expect={relative_error: 0.02505, tolerance: 1e-4}", "--check", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^settings\.rank = 2: relative error is 0\.\d+, expected 0\.02505 to 0\.0001\n$")

    def test_an_interrupted_scan_writes_what_it_has(self):
        process = self.begun("scan", "run.yaml", "--set", "settings.rank=1:30:1", "--set", "solver.max_sweeps=1000000000", "--set", "solver.time_limit=0.3", "--set", "solver.tolerance=0")
        self.assertIn("rank = 1 ", process.stdout.readline())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, "finishing the sweep; a second signal ends the run at once, without a result\n"))
        scan = self.json()
        self.assertEqual(scan["status"], "interrupted")
        self.assertEqual(scan["points"][-1]["runs"][0]["status"], "interrupted")
        self.assertIn(f"interrupted: {len(scan['points'])} of 30 values were run\n", out)
        self.assertTrue((self.folder / "out/scan.html").exists())

    def test_a_value_that_fails_on_the_way_is_named_and_what_was_run_before_is_kept(self):
        self.write("out/forward/rank=3", "in the way\n")
        done = self.tyto("scan", "run.yaml", "--set", "settings.rank=1:4:1", "--set", "output.overwrite=true", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertIn("  while     scanning settings.rank at 3\n", done.stderr)
        scan = self.json()
        self.assertEqual((scan["status"], [p["value"] for p in scan["points"]]), ("failed", ["1", "2"]))
        self.assertIn("out/forward/rank=3", scan["reason"])


if __name__ == "__main__":
    unittest.main()
