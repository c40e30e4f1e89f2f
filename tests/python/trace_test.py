#!/usr/bin/env python3
"""tyto.trace: functions as formulas, which reach what the run files of configs/methods reach, and functions that do not fit."""
import pathlib
import subprocess
import unittest

import numpy as np

from here import HERE, FolderTest
import tyto


def cp(X, A, B, C):
    model = tyto.einsum("ir,jr,kr->ijk", A, B, C)
    return 0.5 * tyto.norm2(X - model)


def coupled(X, Y, A, B, C, V, weight):
    model = np.einsum("ir,jr,kr->ijk", A, B, C)
    return 0.5 * tyto.norm2(X - model) + weight / 2 * tyto.norm2(Y - np.einsum("ir,mr->im", A, V))


def tucker(X, U, V, W, G):
    return 0.5 * tyto.norm2(X - tyto.einsum("pqr,ip,jq,kr->ijk", G, U, V, W))


def poisson(X, A, B, C, tiny):
    M = np.einsum("ir,jr,kr->ijk", A, B, C)
    return np.sum(M - X * np.log(M + tiny))


def refused(X, A, B, body):
    """A function of X, A and B with this body, from a file of which messages show the line."""
    pathlib.Path("model.py").write_text(f"import tyto\nimport numpy as np\n\ndef f(X, A, B):\n    {body}\n")
    names = {}
    exec(compile(pathlib.Path("model.py").read_text(), "model.py", "exec"), names)
    return tyto.trace(names["f"], X=X, unknowns={"A": A, "B": B})


class Configs(FolderTest):
    """Each function against the run file with the same formula: the text, the objective at the start, and at the end."""

    def array(self, name):
        subprocess.run([str(HERE.host), "convert", str(HERE.source / name), "array.npy"], check=True, capture_output=True)
        return np.load("array.npy")

    def outcome(self, config, *words):
        """Of the run file, run in the source folder, which it names data from."""
        folder = self.folder / "by_file"
        settings = [f"output.directory={folder}", "output.overwrite=true", "output.report=false", *words]
        done = [str(HERE.host), "run", f"configs/methods/{config}.yaml", "--quiet", *(word for s in settings for word in ("--set", s))]
        subprocess.run(done, cwd=HERE.source, check=True, capture_output=True)
        return tyto.read(folder)

    def compare(self, config, function, shapes, data, **more):
        traced = tyto.trace(function, unknowns=shapes, **data, **more)
        numbers = {name: value for name, value in data.items() if np.ndim(value) == 0}
        arrays = {name: value for name, value in data.items() if np.ndim(value) > 0}
        start, start_by_file = traced.run(solver={"max_sweeps": 1}), self.outcome(config, "solver.max_sweeps=1")
        for result in (start, start_by_file):
            np.testing.assert_allclose(function(**arrays, **numbers, **result.unknowns), start.objective, rtol=1e-9)
        end, end_by_file = traced.run(output={"report": False}), self.outcome(config)
        np.testing.assert_allclose(end.objective, end_by_file.objective, rtol=1e-7)
        return traced

    def test_cp(self):
        traced = self.compare("aminoacid", cp, {"A": (5, 3), "B": (201, 3), "C": (61, 3)}, {"X": self.array("share/data/aminoacid.txt")})
        self.assertEqual(
            str(traced),
            "method: alternating\n"
            "minimize: 0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r])\n"
            "data: {X: {file: X.npy}}\n"
            "extents: {r: 3}\n"
            "unknowns: {A: {}, B: {}, C: {}}",
        )

    def test_coupled(self):
        data = {"X": self.array("share/data/aminoacid.txt"), "Y": self.array("share/data/examples/aminoacid_concentrations.txt"), "weight": 1e12}
        shapes = {"A": (5, 3), "B": (201, 3), "C": (61, 3), "V": (3, 3)}
        traced = self.compare("coupled", coupled, shapes, data)
        self.assertEqual(
            traced.config["minimize"],
            "0.5 * norm2(X[i,j,k] - A[i,r] * B[j,r] * C[k,r]) + weight / 2 * norm2(Y[i,m] - A[i,r] * V[m,r])",
        )
        self.assertEqual((traced.config["define"], traced.config["extents"]), ({"weight": "1e12"}, {"r": 3}))

    def test_tucker(self):
        shapes = {"U": (5, 3), "V": (201, 3), "W": (61, 3), "G": (3, 3, 3)}
        traced = self.compare("aminoacid_tucker", tucker, shapes, {"X": self.array("share/data/aminoacid.txt")})
        self.assertEqual(traced.config["minimize"], "0.5 * norm2(X[i,j,k] - G[p,q,r] * U[i,p] * V[j,q] * W[k,r])")

    @unittest.skipUnless(HERE.has_petsc, "quasi-newton is PETSc's")
    def test_poisson(self):
        X = self.array("share/data/formats/pyttb_sptensor.tns")
        shapes = {"*": {"lower": 0}, **{name: (extent, 1) for name, extent in zip("ABC", X.shape)}}
        traced = self.compare("poisson", poisson, shapes, {"X": X, "tiny": 1e-10}, method="quasi-newton")
        self.assertEqual(traced.config["define"], {"tiny": "1e-10", "M[i,j,k]": "A[i,r] * B[j,r] * C[k,r]"})

    def test_what_is_printed_is_a_run_file(self):
        X = np.random.default_rng(5).random((4, 5, 6))
        traced = tyto.trace(cp, X=X, unknowns={"A": X[:, :2, 0], "B": {"shape": (5, 2), "nonnegative": True}, "C": (6, 2)})
        self.assertIn("unknowns: {A: {init: {file: A.init.npy}}, B: {nonnegative: true}, C: {}}", str(traced))
        pathlib.Path("run.yaml").write_text(f"{traced}\noutput: {{directory: out}}\n")
        np.save("X.npy", X), np.save("A.init.npy", X[:, :2, 0])
        subprocess.run([str(HERE.host), "run", "run.yaml"], check=True, capture_output=True)
        self.assertEqual(tyto.read("out").objective, traced.run().objective)

    def test_sections_and_arrays_complete_what_was_traced(self):
        X = np.random.default_rng(5).random((4, 5, 6))
        traced = tyto.trace(cp, X=(4, 5, 6), unknowns={"A": (4, 2), "B": (5, 2), "C": (6, 2)})
        self.assertEqual(
            self.raised(traced.run), "X was traced with its shape alone\n  expected  its entries\n  found     (4, 5, 6)\n  try       run(X=array)"
        )
        result = traced.run(X=X, solver={"max_sweeps": 2}, unknowns={"A": {"ridge": 0.1}}, data={"X": {"scale": "auto"}})
        self.assertEqual((result.sweeps, result.record["config"]["unknowns"]["A"]["ridge"]), (2, 0.1))
        self.assertEqual(result.record["config"]["data"]["X"]["scale"], "auto")
        traced.check(X=X)
        self.assertIn("alternating   minimize ", traced.explain(X=X))
        np.save("there.npy", X)
        self.assertEqual(traced.run(data={"X": {"file": "there.npy"}}, solver={"max_sweeps": 2}).sweeps, 2)


class Refused(FolderTest):
    """Messages name the line of the program and what would fit."""

    def refused(self, body):
        return self.raised(refused, (4, 5), (4, 2), (5, 3), body)

    def test_einsum(self):
        line = 'return tyto.norm2(tyto.einsum("ir,jr->ij", A, B))'
        self.assertEqual(
            self.refused(line),
            f"model.py:5: letter r has two extents\n  in        {line}\n"
            "  expected  2, of axis 1 of A\n  found     3, of axis 1 of B\n  try       another letter for one of them",
        )
        for subscripts, operands, message in (
            ("ir,r->i", "A, B", "B has 2 axes"),
            ("ir->i", "A, B", "subscripts for another number of operands"),
            ("i...->i", "A", "subscripts are letters"),
            ("ir->is", "A", "letter s of the result is of no operand"),
            ("ir->ii", "A", "letter i stands twice in the result"),
        ):
            self.assertIn(f"model.py:5: {message}\n", self.refused(f'return tyto.norm2(np.einsum("{subscripts}", {operands}))'))
        self.assertIn("model.py:5: subscripts are letters\n", self.refused("return np.einsum(A, [0, 1], [])"))

    def test_attributes_and_arguments(self):
        for body, message in (
            ("return A.reshape(-1).sum()", "a tensor that is traced has no 'reshape', but shape, ndim, size, T, sum\\(\\) and mean\\(\\)"),
            ("return tyto.sum(tyto.exp(A, B))", "exp.. takes 1 positional argument but 2 were given"),
        ):
            with self.assertRaisesRegex((AttributeError, TypeError), message):
                refused((4, 5), (4, 2), (5, 3), body)

    def test_shapes(self):
        self.assertEqual(
            self.refused("return tyto.norm2(X - A)"),
            "model.py:5: '-' takes tensors of one shape: nothing is repeated by itself\n  in        return tyto.norm2(X - A)\n"
            '  expected  (4, 5)\n  found     (4, 2), of A\n  try       einsum("i,j->ij", a, np.ones(n)) to repeat the values of a along j',
        )
        self.assertIn("model.py:5: an axis of '@' has two extents\n", self.refused("return tyto.norm2(A @ B)"))
        self.assertIn("model.py:5: A has no axis 2\n", self.refused("return tyto.sum(A, axis=2)"))

    def test_an_objective_is_a_scalar(self):
        self.assertEqual(
            self.refused('M = tyto.einsum("ir,js->ij", A, B); return X - M'),
            'model.py:5: an objective is a scalar\n  in        M = tyto.einsum("ir,js->ij", A, B); return X - M\n'
            "  expected  a number\n  found     a tensor of shape (4, 5)\n  try       norm2(...) or sum(...) of it",
        )
        self.assertIn("model.py:4: an objective is a scalar\n  in        def f(X, A, B):\n  expected  a number\n  found     NoneType\n", self.refused("pass"))

    def test_functions(self):
        self.assertIn("model.py:5: numpy.cumsum cannot be traced\n", self.refused("return np.cumsum(X)"))
        self.assertRegex(self.refused("return np.sum(np.sinh(X))"), "(?s)model.py:5: numpy.sinh cannot be traced\n.*\n  try       sin$")
        self.assertRegex(self.refused("return np.sum(np.dot(A, B))"), "(?s)model.py:5: numpy.dot cannot be traced\n.*\n  try       einsum$")
        self.assertIn(
            "model.py:5: numpy.log can be traced only as a function\n  in        return np.sum(np.log(X, where=True))\n  expected  log(a)\n  found     where",
            self.refused("return np.sum(np.log(X, where=True))"),
        )
        self.assertIn("numpy.add can be traced only as a function", self.refused("return np.add.reduce(X)"))
        self.assertIn("numpy.sum cannot be traced like this: got an unexpected keyword argument 'keepdims'", self.refused("return np.sum(X, keepdims=True)"))
        with self.assertRaisesRegex(AttributeError, "tyto has no nrom2; functions of tensors: exp, .*; try norm2"):
            refused((4, 5), (4, 2), (5, 3), "return tyto.nrom2(X)")

    def test_entries_and_constants(self):
        for body in ("return X[0, 0]", "return tyto.sum(X) if X > A else 0", "return float(tyto.sum(X))", "return sum(a for a in A)"):
            self.assertRegex(self.refused(body), r"^model.py:5: ")
        self.assertIn("X has no entries while it is traced", self.refused("return X[0, 0]"))
        self.assertIn("model.py:5: this is no part of a formula\n", self.refused("return tyto.norm2(X - np.zeros((4, 5)))"))
        self.assertIn("model.py:5: an exponent is a number\n", self.refused("return tyto.sum(X ** X)"))
        self.assertIn("model.py:5: a formula has finite numbers\n", self.refused("return tyto.sum(X * float('nan'))"))

    def test_names_and_shapes_that_are_given(self):
        self.assertIn("model.py:4: B stands nowhere in what f returns", self.refused("return tyto.norm2(X) + tyto.norm2(A)"))
        text = self.raised(tyto.trace, cp, X=(4, 5, 6), unknowns={"A": (4, 2), "B": (5, 2)})
        self.assertRegex(text, r"trace_test.py:\d+: cp: missing a required argument: 'C'\n  in        def cp.*\n  found     X, A, B\n  try       data or unknowns")
        self.assertIn("the unknown A has no shape", self.raised(tyto.trace, cp, X=(4, 5, 6), unknowns={"A": {"lower": 0}}))
        self.assertIn("only a function can be traced", self.raised(tyto.trace, "norm2(X)", X=(4, 5), unknowns={"A": (4, 2)}))
        self.assertIn("X is no tensor", self.raised(tyto.trace, cp, X="x.npy", unknowns={"A": (4, 2)}))


if __name__ == "__main__":
    unittest.main()
