"""cotengra: expressions compiled beforehand, run by numpy through autoray."""
import cotengra

VERSION = cotengra.__version__


def _contract(problem):
    arrays, calls = problem.arrays(), []
    for e in problem.einsums:
        names = {label: cotengra.get_symbol(n) for n, label in enumerate(problem.sizes(e))}  # its compiled part takes single letters
        inputs, output = [tuple(names[k] for k in labels) for labels in e.inputs], tuple(names[k] for k in e.output)
        sizes = {names[label]: extent for label, extent in problem.sizes(e).items()}
        path = "auto"
        if problem.pairs:
            path = cotengra.ContractionTree.from_path(inputs, output, sizes, ssa_path=problem.pairs)
        expression = cotengra.array_contract_expression(inputs, output, sizes, optimize=path)
        calls.append((expression, [arrays[n] for n in e.operands]))
    return lambda: [expression(*operands) for expression, operands in calls]


KERNELS = dict.fromkeys(("gemm", "ttm", "contraction", "mttkrp", "ttmc", "two-site", "network"), _contract)
