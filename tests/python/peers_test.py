#!/usr/bin/env python3
"""CP decompositions in the conventions of tensorly and pyttb, to and from; with the packages themselves where they are installed."""
import importlib.util
import unittest

import numpy as np

from here import FolderTest
import tyto

RNG = np.random.default_rng(11)
X = np.einsum("ir,jr,kr->ijk", *(RNG.standard_normal((extent, 2)) for extent in (4, 5, 6)))
UNCHANGED = {"solver": {"max_sweeps": 0}, "output": {"report": False}}


def is_installed(name):
    return importlib.util.find_spec(name) is not None


def model(weights, factors):
    return np.einsum("r,ir,jr,kr->ijk", weights, *factors)


def product(result):
    return np.einsum("ir,jr,kr->ijk", *result.unknowns.values())


def ktensor_text(path):
    """Weights and factors of a file in the text form of the Tensor Toolbox."""
    lines = path.read_text().splitlines()
    rank = int(lines[3])
    weights, at, factors = np.array(lines[4].split(), dtype=float), 5, []
    for _ in range(int(lines[1])):
        rows = int(lines[at + 2].split()[0])
        factors.append(np.array([line.split() for line in lines[at + 3 : at + 3 + rows]], dtype=float).reshape(rows, rank))
        at += 3 + rows
    return weights, factors


class Peers(FolderTest):
    @classmethod
    def setUpClass(cls):
        cls.result = tyto.cp_als(X, rank=2, solver={"max_sweeps": 30}, output={"formats": ["npy", "ktensor"]})

    def test_weights_and_factors_stand_for_the_same_tensor(self):
        weights, factors = self.result.cp_tensor()
        np.testing.assert_allclose(model(weights, factors), product(self.result), rtol=1e-12)
        for factor in factors:
            np.testing.assert_allclose(np.linalg.norm(factor, axis=0), 1, rtol=1e-14)
        self.assertTrue(weights[0] >= weights[1] > 0)
        as_pyttb = self.result.ktensor()
        np.testing.assert_array_equal(as_pyttb[1], weights)
        np.testing.assert_array_equal(as_pyttb[0][2], factors[2])

    def test_they_are_those_of_the_file(self):
        weights, factors = self.result.cp_tensor()
        in_file = ktensor_text(self.result.folder / "ktensor.txt")
        np.testing.assert_allclose(weights, in_file[0], rtol=1e-13)
        for ours, theirs in zip(factors, in_file[1]):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)

    def test_a_start_may_have_either_form(self):
        weights, factors = np.array([3.0, -0.5]), [RNG.standard_normal((extent, 2)) for extent in X.shape]
        scaled = [factors[0] * weights, *factors[1:]]
        for start in ((weights, factors), (factors, weights), scaled, (None, scaled), (scaled, None), (weights, tuple(factors))):
            begun = tyto.cp_als(X, rank=2, start=start, **UNCHANGED)
            np.testing.assert_allclose(product(begun), model(weights, factors), rtol=1e-12)

    def test_a_start_goes_with_names_of_modes_and_traits(self):
        data, start = {"X": {"modes": ["a", "b", "c"]}}, self.result.cp_tensor()
        begun = tyto.cp_als(X, rank=2, start=start, data=data, unknowns={"A_b": {"fixed": True}, "*": {"ridge": 0.5}}, **UNCHANGED)
        np.testing.assert_allclose(product(begun), product(self.result), rtol=1e-12)
        self.assertEqual(begun.record["config"]["unknowns"]["A_b"]["fixed"], True)

    def test_what_is_no_cp_decomposition_says_so(self):
        tucker = tyto.algorithm("tucker-hooi")(X, ranks=[2, 2, 2])
        self.assertEqual(
            self.raised(tucker.cp_tensor).splitlines()[:2],
            ["this result is no CP decomposition", "  expected  a matrix [mode][component] for each mode of the data"],
        )

    @unittest.skipUnless(is_installed("tensorly"), "tensorly is not installed")
    def test_tensorly_takes_it_and_gives_a_start(self):
        import tensorly
        from tensorly.decomposition import parafac

        np.testing.assert_allclose(tensorly.cp_to_tensor(self.result.cp_tensor()), product(self.result), rtol=1e-12)
        theirs = parafac(X, rank=2, n_iter_max=3, random_state=1, normalize_factors=True)
        begun = tyto.cp_als(X, rank=2, start=theirs, **UNCHANGED)
        np.testing.assert_allclose(product(begun), tensorly.cp_to_tensor(theirs), rtol=1e-10)

    @unittest.skipUnless(is_installed("pyttb"), "pyttb is not installed")
    def test_pyttb_takes_it_and_gives_a_start(self):
        import pyttb

        theirs = pyttb.ktensor(*self.result.ktensor())
        np.testing.assert_allclose(theirs.full().data, product(self.result), rtol=1e-12)
        begun = tyto.cp_als(X, rank=2, start=theirs, **UNCHANGED)
        np.testing.assert_allclose(product(begun), product(self.result), rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
