"""numpy: einsum with a path found beforehand, so that no search is timed; the product with the Gauss-Newton matrix by hand."""
import functools

import numpy

import problems

VERSION = numpy.__version__
WITHOUT_LIMIT = 1 << 62  # of the size of intermediates; by default none is larger than the operands, which rules out good paths


def _path(e, operands):
    return numpy.einsum_path(e.text(), *operands, optimize=("optimal", WITHOUT_LIMIT))[0]


def _einsum(problem):
    arrays, calls = problem.arrays(), []
    for e in problem.einsums:
        operands = [arrays[n] for n in e.operands]
        calls.append(functools.partial(numpy.einsum, e.text(), *operands, optimize=_path(e, operands)))
    return lambda: [call() for call in calls]


def _network(problem):
    arrays, steps = problem.arrays(), problems.pairwise(problem)
    texts = [(left, right, e.text()) for left, right, e in steps]

    def run():
        terms = list(arrays)
        for left, right, text in texts:
            terms.append(numpy.einsum(text, terms[left], terms[right], optimize=["einsum_path", (0, 1)]))
            terms[left] = terms[right] = None
        return [terms[-1]]

    return run


def _grams(factors):
    return [factor.T @ factor for factor in factors]


def _others(matrices, *left_out):
    rest = [matrix for n, matrix in enumerate(matrices) if n not in left_out]
    return functools.reduce(numpy.multiply, rest) if rest else 1.0


def _gradient(problem):
    run_mttkrps, factors = _einsum(problem), problem.arrays()[1:]

    def run():
        grams = _grams(factors)
        return [f @ _others(grams, n) - m for n, (f, m) in enumerate(zip(factors, run_mttkrps()))]

    return run


def _sweep(problem):
    """Updates only: no error, no norms."""
    start = problem.arrays()
    texts = [e.text() for e in problem.einsums]
    paths = [_path(e, [start[n] for n in e.operands]) for e in problem.einsums]

    def run(sweeps):
        arrays = list(start)
        grams = _grams(arrays[1:])
        for _ in range(sweeps):
            for n, e in enumerate(problem.einsums):
                right = numpy.einsum(texts[n], *(arrays[k] for k in e.operands), optimize=paths[n])
                arrays[n + 1] = numpy.linalg.solve(_others(grams, n), right.T).T
                grams[n] = arrays[n + 1].T @ arrays[n + 1]

    return run


def _gauss_newton(problem):
    """v -> J'J v as sums over Gram matrices; those of the factors stay within a linear solve (Sorber, Van Barel, De Lathauwer,
    SIAM J. Optim. 23, 2013)."""
    arrays = problem.arrays()
    order = len(arrays) // 2
    factors, directions = arrays[:order], arrays[order:]
    grams = _grams(factors)
    single = [_others(grams, n) for n in range(order)]
    double = {(n, m): _others(grams, n, m) for n in range(order) for m in range(order) if n != m}

    def run():
        mixed = [v.T @ a for v, a in zip(directions, factors)]
        return [
            directions[n] @ single[n] + factors[n] @ sum(double[n, m] * mixed[m] for m in range(order) if m != n)
            for n in range(order)
        ]

    return run


KERNELS = dict.fromkeys(("gemm", "ttm", "contraction", "mttkrp", "ttmc", "two-site"), _einsum) | {
    "network": _network,
    "gradient": _gradient,
    "sweep": _sweep,
    "gauss-newton": _gauss_newton,
}
