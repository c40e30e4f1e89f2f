"""pyttb, the Tensor Toolbox in Python. Its tensors are column-major."""
import importlib.metadata

import numpy
import pyttb

from kernels import Kernel

VERSION = importlib.metadata.version("pyttb")


def _tensor(array):
    return pyttb.tensor(numpy.asfortranarray(array))


def _arrays(results):
    return [r if isinstance(r, numpy.ndarray) else r.double() for r in results]


def _kernel(run):
    return Kernel(run, _arrays)


def _ttm(problem):
    x, u = problem.arrays()
    x = _tensor(x)
    return _kernel(lambda: [x.ttm(u, problem.integer("mode"), transpose=True)])


def _mttkrp(problem):
    x, *factors = problem.arrays()
    x = _tensor(x)
    return _kernel(lambda: [x.mttkrp(factors, problem.integer("mode"))])


def _ttmc(problem):
    x, *factors = problem.arrays()
    x = _tensor(x)
    return _kernel(lambda: [x.ttm(factors, exclude_dims=n, transpose=True) for n in range(len(factors))])


def _sweep(problem):
    x, *factors = problem.arrays()
    x, rank = _tensor(x), problem.integer("rank")

    def run(sweeps):
        pyttb.cp_als(x, rank, stoptol=0.0, maxiters=sweeps, init=pyttb.ktensor([f.copy() for f in factors]), printitn=0)

    return run


KERNELS = {"ttm": _ttm, "mttkrp": _mttkrp, "ttmc": _ttmc, "sweep": _sweep}
