#!/usr/bin/env python3
"""The text of each construct that can be traced, and the host's value of it: labels mean what the axes meant in Python."""
import unittest

import numpy as np

from here import FolderTest
import tyto

RNG = np.random.default_rng(17)
EXTENTS = {"X": (4, 3, 2), "A": (4, 2), "B": (3, 2), "v": (4,), "S": (2, 2)}
VALUES = {name: RNG.random(shape) + 0.5 for name, shape in EXTENTS.items()}

# What is traced, of X, A, B, v and S, and its text. Tensors without letters of the program get i, j, k, ...
FORMULAS = [
    (lambda A, **_: tyto.norm2(A), "norm2(A[i,j])"),
    (lambda A, **_: np.linalg.norm(A), "norm(A[i,j])"),
    (lambda A, **_: (A * A).sum(), "sum(A[i,j] * A[i,j])"),
    (lambda A, **_: tyto.norm2(A * A), "norm2((A[i,j] * A[i,j])[i,j])"),
    (lambda A, **_: tyto.norm2(A.T), "norm2(A[j,i])"),
    (lambda A, B, **_: tyto.norm2(A @ B.T), "norm2(A[i,k] * B[j,k])"),
    (lambda A, v, **_: tyto.norm2(v @ A), "norm2(v[j] * A[j,i])"),
    (lambda A, **_: np.einsum("ii->", A.T @ A), "sum(A[j,i] * A[j,i])"),
    (lambda S, **_: np.einsum("ii->", S), "sum(S[i,i])"),
    (lambda S, **_: tyto.norm2(np.einsum("ii->i", S)), "norm2((S[i,i])[i])"),
    (lambda A, **_: tyto.norm2(np.einsum("ir->i", A)), "norm2(sum[r](A[i,r]))"),
    (lambda A, **_: tyto.norm2(A.sum(axis=0)), "norm2(sum[j](A[j,i]))"),
    (lambda A, v, **_: tyto.norm2(np.einsum("i,ir->ir", v, A)), "norm2((v[i] * A[i,r])[i,r])"),
    (lambda A, v, **_: tyto.norm2(A - np.einsum("i,ir->ir", v, A)), "norm2(A[i,r] - v[i] * A[i,r])"),
    (lambda A, v, **_: tyto.norm2(np.einsum("i,ir->ir", v, A) - A * A), "norm2((v[i] * A[i,r])[i,r] - (A[i,r] * A[i,r])[i,r])"),
    (lambda A, B, **_: np.sum((A @ B.T) * np.log(A @ B.T)), "sum((A[i,k] * B[j,k] * log(A[i,l] * B[j,l]))[i,j])"),
    (lambda A, B, **_: tyto.norm2((A.T @ A) * (B.T @ B)), "norm2((A[k,i] * A[k,j] * B[l,i] * B[l,j])[i,j])"),
    (lambda A, B, **_: tyto.norm2((A + A @ (B.T @ B)) @ B.T), "norm2((A[i,k] + A[i,l] * B[m,l] * B[m,k]) * B[j,k])"),
    (lambda X, **_: np.sum(X / (1 + X)), "sum((X[i,j,k] / (1 + X[i,j,k]))[i,j,k])"),
    (lambda A, v, **_: tyto.norm2(np.einsum("ir,i->ir", A, 1 / v)), "norm2((A[i,r] * (1 / v[i])[i])[i,r])"),
    (lambda A, v, **_: tyto.norm2(np.einsum("ir,i->r", A, 1 / v)), "norm2(A[i,r] * (1 / v[i])[i])"),
    (lambda A, **_: tyto.norm2(A / tyto.sum(A)), "norm2(A[i,j] / sum(A[k,l]))"),
    (lambda A, **_: tyto.sum(A - (A - 1) / 2), "sum(A[i,j] - (A[i,j] - 1) / 2)"),
    (lambda A, **_: -tyto.sum(-A), "-sum(-A[i,j])"),
    (lambda A, **_: np.sum((A + 1) ** 2 * 2**A), "sum((A[i,j] + 1)^2 * 2^A[i,j])"),
    (lambda A, **_: np.sum((-A) ** 2) ** -1.5, "sum((-A[i,j])^2)^(-1.5)"),
    (lambda X, **_: np.sum(np.max(X, axis=(0, 2)) * tyto.logsumexp(X, (0, 2))), "sum(max[j,k](X[j,i,k]) * logsumexp[j,k](X[j,i,k]))"),
    (lambda A, **_: np.sum(tyto.softmax(A, axis=1) * A), "sum(softmax[j](A[i,j]) * A[i,j])"),
    (lambda A, **_: np.mean(np.abs(A - 1) + np.maximum(A, 0.7)), "mean(abs(A[i,j] - 1) + maximum(A[i,j], 0.7))"),
    (lambda A, **_: tyto.sum(A > 1) + tyto.sum(1 <= A), "sum(greater(A[i,j], 1)) + sum(greater_equal(A[i,j], 1))"),
    (lambda A, **_: tyto.sum(A == 1) + tyto.sum(A != 1), "sum(equal(A[i,j], 1)) + sum(1 - equal(A[i,j], 1))"),
    (lambda A, **_: tyto.norm2(A) / (A.size + len(A)), "norm2(A[i,j]) / 12"),
    (lambda A, **_: tyto.sum(tyto.sigmoid(A) * tyto.relu(A - 1)), "sum(sigmoid(A[i,j]) * relu(A[i,j] - 1))"),
    (lambda B, v, **_: tyto.norm2(np.einsum("i,jr->ijr", v, B)), "norm2(v[i] * B[j,r])"),
    (lambda A, v, **_: tyto.norm2(A - np.einsum("i,r->ir", v, np.ones(2))), "norm2(A[i,r] - v[i] * ones[r])"),
    (lambda S, **_: tyto.norm2(S - np.eye(2)), "norm2(S[i,j] - identity[i,j])"),
    (lambda A, v, **_: tyto.inner(A @ np.ones(2), v), "sum(A[i,j] * ones[j] * v[i])"),
    (lambda A, B, **_: sum(0.1 * tyto.norm2(a) for a in (A, B)), "0.1 * norm2(A[i,j]) + 0.1 * norm2(B[k,j])"),
    (lambda A, B, **_: tyto.norm2(np.einsum("IR,JR->IJ", A, B)), "norm2(A[i,r] * B[j,r])"),
    (lambda X, A, **_: tyto.norm2(np.einsum("ijk,ik->j", X, A)) * tyto.norm2(A), "norm2(X[i,j,k] * A[i,k]) * norm2(A[i,k])"),
]


def shared(X, A, B, **_):
    residual = X - np.einsum("ir,jr,r->ijr", A, B, np.ones(2))
    weights = np.log(A.T @ A + np.eye(2))
    return np.sum(residual * residual) + np.einsum("rr->", weights) * tyto.norm2(weights)


class Formulas(FolderTest):
    def traced(self, function):
        """With those of the arguments that stand in it."""
        names = [name for name in EXTENTS if name in function.__code__.co_varnames[: function.__code__.co_argcount]]
        return tyto.trace(function, unknowns={name: VALUES[name] for name in names}, method="gradient-descent")

    def value(self, function):
        result = self.traced(function).run(solver={"max_sweeps": 0}, output={"report": False})
        return result.objective, function(**VALUES)

    def test_texts(self):
        for function, text in FORMULAS:
            with self.subTest(text=text):
                self.assertEqual(self.traced(function).config["minimize"], text)

    def test_values(self):
        for begin in range(0, len(FORMULAS), 8):  # some together, weighted so that none makes up for another

            def total(X, A, B, v, S, group=tuple(function for function, _ in FORMULAS[begin : begin + 8])):
                terms = (function(X=X, A=A, B=B, v=v, S=S) / (n + 2.0) for n, function in enumerate(group))
                return sum(terms) + 0.1 * sum(map(tyto.norm2, (X, A, B, v, S)))

            host, python = self.value(total)
            self.assertAlmostEqual(host / python, 1, places=12)

    def test_what_stands_in_it_twice_is_defined_once_under_its_name_in_python(self):
        traced = self.traced(shared)
        self.assertEqual(traced.config["minimize"], "sum(residual[i,j,r] * residual[i,j,r]) + sum(weights[r,r]) * norm2(weights[r,k])")
        self.assertEqual(
            traced.config["define"],
            {"residual[i,j,r]": "X[i,j,r] - A[i,r] * B[j,r] * ones[r]", "weights[r,k]": "log(A[i,r] * A[i,k] + identity[r,k])"},
        )
        host, python = self.value(shared)
        self.assertAlmostEqual(host / python, 1, places=12)

    def test_long_formulas_are_folded(self):
        def long(X, A, B):
            return sum(k * tyto.norm2(X - np.einsum("ir,jr,r->ijr", A, B, np.ones(2))) for k in (2, 3, 4))

        text = str(self.traced(long))
        self.assertLess(max(map(len, text.splitlines())), 125)
        self.assertIn("minimize: >\n  2 * norm2(", text)


if __name__ == "__main__":
    unittest.main()
