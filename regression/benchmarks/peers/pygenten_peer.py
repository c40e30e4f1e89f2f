"""pygenten, GenTen in Python: whole sweeps, which is all that it offers of these kernels."""
import importlib.metadata

import numpy
import pygenten
import pyttb

VERSION = importlib.metadata.version("pygenten")


def _sweep(problem):
    x, *factors = problem.arrays()
    tensor = pygenten.make_gt_tensor(pyttb.tensor(numpy.asfortranarray(x)))
    rank = problem.integer("rank")

    def run(sweeps):
        pygenten.cp_als(tensor, rank=rank, maxiters=sweeps, tol=0.0, printitn=0)

    return run


KERNELS = {"sweep": _sweep}
