"""TensorLy on numpy."""
import tensorly
from tensorly import cp_tensor, decomposition, tenalg

VERSION = tensorly.__version__


def _ttm(problem):
    x, u = problem.arrays()
    return lambda: [tenalg.mode_dot(x, u.T, problem.integer("mode"))]


def _mttkrp(problem):
    x, *factors = problem.arrays()
    return lambda: [cp_tensor.unfolding_dot_khatri_rao(x, (None, factors), problem.integer("mode"))]


def _ttmc(problem):
    x, *factors = problem.arrays()
    transposed = [u.T for u in factors]
    return lambda: [tenalg.multi_mode_dot(x, transposed, skip=n) for n in range(len(factors))]


def _sweep(problem):
    """Updates only: without a tolerance it does not compute the error."""
    x, *factors = problem.arrays()
    rank = problem.integer("rank")

    def run(sweeps):
        start = cp_tensor.CPTensor((None, [f.copy() for f in factors]))
        decomposition.parafac(x, rank, n_iter_max=sweeps, init=start, tol=0, linesearch=False)

    return run


def _tucker_sweep(problem):
    """Updates and error of HOOI, from factors that need not be orthonormal: only the times are compared."""
    x, *factors = problem.arrays()
    ranks = [problem.integer("rank")] * len(factors)
    core = tensorly.zeros(ranks)

    def run(sweeps):
        decomposition.tucker(x, ranks, n_iter_max=sweeps, init=(core, [f.copy() for f in factors]), tol=0)

    return run


KERNELS = {"ttm": _ttm, "mttkrp": _mttkrp, "ttmc": _ttmc, "sweep": _sweep, "tucker-sweep": _tucker_sweep}
