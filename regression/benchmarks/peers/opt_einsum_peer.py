"""opt_einsum: expressions compiled beforehand, run by numpy."""
import opt_einsum

VERSION = opt_einsum.__version__



def _text(e):
    labels = {label: opt_einsum.get_symbol(n) for n, label in enumerate(dict.fromkeys(k for part in e.inputs for k in part))}
    part = lambda term: "".join(labels[k] for k in term)
    return ",".join(map(part, e.inputs)) + "->" + part(e.output)


def _linear(pairs, count):
    """The path as opt_einsum counts positions: those of operands that are left."""
    left, path, new = list(range(count)), [], count
    for pair in pairs:
        positions = tuple(sorted(left.index(n) for n in pair))
        path.append(positions)
        left = [n for n in left if n not in pair] + [new]
        new += 1
    return path


def _contract(problem):
    arrays, calls = problem.arrays(), []
    for e in problem.einsums:
        path = _linear(problem.pairs, len(e.operands)) if problem.pairs else "auto"
        shapes = [arrays[n].shape for n in e.operands]
        calls.append((opt_einsum.contract_expression(_text(e), *shapes, optimize=path), [arrays[n] for n in e.operands]))
    return lambda: [expression(*operands, backend="numpy") for expression, operands in calls]


KERNELS = dict.fromkeys(("gemm", "ttm", "contraction", "mttkrp", "ttmc", "two-site", "network"), _contract)
