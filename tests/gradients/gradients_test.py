#!/usr/bin/env python3
"""At the minima that runs report the gradient vanishes, recomputed by numpy from the files that they write and nothing else.

  gradients_test.py --host TYTO --source FOLDER
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--host", type=lambda p: pathlib.Path(p).resolve(), required=True)
parser.add_argument("--source", type=lambda p: pathlib.Path(p).resolve(), required=True)
parser.add_argument("--has-petsc", action="store_true")
HERE, sys.argv[1:] = parser.parse_known_args()
AMINOACID, IL2 = HERE.source / "share/data/aminoacid.txt", HERE.source / "share/data/il2_response.npy"


def relative_gradients(x, weights, factors, ridge=0):
    """Of f = 1/2 sum W (X - model)^2 + ridge/2 sum |A|^2 by each factor, over the part of it that the data alone are."""
    modes = "ijklmn"[: x.ndim]
    model = np.einsum(",".join(mode + "r" for mode in modes) + "->" + modes, *factors)
    for mode, factor in zip(modes, factors):
        others = [(other + "r", a) for other, a in zip(modes, factors) if other != mode]
        terms = ",".join([modes] + [labels for labels, _ in others]) + "->" + mode + "r"
        of_data, of_residual = (np.einsum(terms, weights * t, *(a for _, a in others), optimize=True) for t in (x, model - x))
        yield np.linalg.norm(of_residual + ridge * factor) / np.linalg.norm(of_data)


def aminoacid():
    """Tensor Toolbox text: three lines of header after the word, then an entry a line, indices from 0."""
    lines = AMINOACID.read_text().splitlines()
    x = np.zeros([int(extent) for extent in lines[2].split()])
    for line in lines[4:]:
        *at, value = line.split()
        x[tuple(int(k) for k in at)] = float(value)
    return x


class Gradients(unittest.TestCase):
    tolerance = 1e-6  # ten times the root of the change of f at which runs end: f is quadratic about its minimum

    def factors_of(self, run):
        """The arrays that a run writes, which are in the order of the data's modes."""
        with tempfile.TemporaryDirectory(prefix="tyto-gradients-") as name:
            solver = "\nsolver: {max_sweeps: 3000, tolerance: 1e-14, starts: 3, require_convergence: true}\n"  # a start may end in a swamp
            pathlib.Path(name, "run.yaml").write_text(run + solver + "output: {directory: out, report: false, checkpoint: 0}\n")
            done = subprocess.run([str(HERE.host), "run", "run.yaml", "--quiet"], cwd=name, capture_output=True, text=True, timeout=100)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            return [np.load(file) for file in sorted(pathlib.Path(name, "out/unknowns").glob("*.npy"))]

    def check(self, run, x, weights=1, ridge=0):
        largest = max(relative_gradients(x, weights, self.factors_of(run), ridge))
        self.assertLess(largest, self.tolerance, run)

    def test_every_method_of_cp(self):
        x, of_data = aminoacid(), f"\ndata: {{X: {{file: {AMINOACID}, scale: auto}}}}"
        plugins = ["cp-als", "cp-gauss-newton", "cp"]
        methods = ["alternating", "gauss-newton", "newton"] + ["quasi-newton"] * HERE.has_petsc
        runs = [f"algorithm: {name}\nsettings: {{rank: 3}}" for name in plugins]
        runs += [f"algorithm: cp\nsettings: {{rank: 3, method: {name}}}" for name in methods]
        formula = "extents: {r: 3}\nunknowns: {A: {}, B: {}, C: {}}\nminimize: 0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r])"
        runs += [f"method: {name}\n{formula}" for name in methods]
        for run in runs:
            with self.subTest(run=run):
                self.check(run + of_data, x)

    def test_missing_values_have_no_weight(self):
        x = np.load(IL2)
        weights = np.where(np.isnan(x), 0, 1)
        self.assertEqual(np.count_nonzero(weights == 0), 192)
        for name in ["cp-als", "cp-gauss-newton"]:
            with self.subTest(name=name):
                self.check(f"algorithm: {name}\nsettings: {{rank: 2}}\ndata: {{X: {{file: {IL2}, missing: nan}}}}", np.nan_to_num(x), weights)

    def test_a_ridge_is_part_of_the_objective(self):
        ridge = 1e4
        for name in ["cp-als", "cp-gauss-newton"]:
            with self.subTest(name=name):
                run = f'algorithm: {name}\nsettings: {{rank: 3}}\nunknowns: {{"*": {{ridge: {ridge}}}}}\ndata: {{X: {{file: {AMINOACID}}}}}'
                self.check(run, aminoacid(), ridge=ridge)

    def test_away_from_a_minimum_the_script_says_so(self):
        factors = self.factors_of(f"algorithm: cp-als\nsettings: {{rank: 2}}\ndata: {{X: {{file: {AMINOACID}}}}}")
        factors[1] = factors[1] * (1 + 1e-4)
        self.assertGreater(max(relative_gradients(aminoacid(), 1, factors)), 1e-5)


class States(unittest.TestCase):
    """Energy and variance of a matrix product state, from its tensors and those of the Hamiltonian as `tyto convert` writes it."""

    @staticmethod
    def expectation(state, *operators):
        """<psi| product of operators |psi> by transfer through the chain; operators are lists of [left][right][out][in]."""
        environment = np.ones((1,) * (len(operators) + 2))
        for site, ket in enumerate(state):
            bra, labels, factors = ket.conj(), "asA", []
            for k, operator in enumerate(operators):
                factors += ["uvwx"[k] + "UVWX"[k] + "sefg"[k] + "sefg"[k + 1], operator[site]]
            middle = "uvwx"[: len(operators)]
            open_side, closed_side = "a" + middle + "b", "A" + middle.upper() + "B"
            words = [open_side, labels, *factors[::2], "b" + "sefg"[len(operators)] + "B"]
            environment = np.einsum(",".join(words) + "->" + closed_side, environment, bra, *factors[1::2], ket, optimize=True)
        return environment.item().real

    def check(self, model):
        with tempfile.TemporaryDirectory(prefix="tyto-states-") as name:
            pathlib.Path(name, "run.yaml").write_text(
                f"algorithm: dmrg\nsettings: {{model: {{{model}, sites: 8}}, maxdim: 6}}\nsolver: {{max_sweeps: 3, tolerance: 0}}\n"
                "output: {directory: out, report: false, checkpoint: 0}\n")
            for words in (["run", "run.yaml", "--quiet"], ["convert", "run.yaml", "H[*].npy"]):
                done = subprocess.run([str(HERE.host), *words], cwd=name, capture_output=True, text=True, timeout=100)
                self.assertEqual(done.returncode, 0, done.stderr)
            state = [np.load(pathlib.Path(name, f"out/unknowns/psi[{site}].npy")) for site in range(8)]
            h = [np.load(pathlib.Path(name, f"H[{site}].npy")) for site in range(8)]
            reported = json.loads(pathlib.Path(name, "out/result.json").read_text())
        norm = self.expectation(state)
        energy = self.expectation(state, h) / norm
        variance = self.expectation(state, h, h) / norm - energy**2
        self.assertGreater(variance, 1e-6)  # bonds of 6 are too few for these states
        self.assertAlmostEqual(energy, reported["objective"], delta=1e-12)
        self.assertAlmostEqual(variance, reported["observed"]["variance"], delta=1e-11)

    def test_of_spins(self):
        self.check("name: heisenberg, spin: 1")

    def test_with_complex_numbers(self):
        self.check("name: xxz, delta: 0.5, phase: 0.7")

    def test_of_fermions(self):
        self.check("name: spinless-fermions, v: 1")


if __name__ == "__main__":
    unittest.main()
