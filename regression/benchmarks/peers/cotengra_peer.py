"""cotengra: expressions compiled beforehand, run by numpy through autoray."""
import cotengra

VERSION = cotengra.__version__


def _contract(problem):
    arrays, calls = problem.arrays(), []
    for e in problem.einsums:
        tree = None
        if problem.pairs:
            tree = cotengra.ContractionTree.from_path(e.inputs, e.output, problem.sizes(e), ssa_path=problem.pairs)
        expression = cotengra.array_contract_expression(e.inputs, e.output, problem.sizes(e), optimize=tree or "auto")
        calls.append((expression, [arrays[n] for n in e.operands]))
    return lambda: [expression(*operands) for expression, operands in calls]


KERNELS = dict.fromkeys(("gemm", "ttm", "contraction", "mttkrp", "ttmc", "two-site", "network"), _contract)
