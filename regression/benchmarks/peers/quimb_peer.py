"""quimb: the operator that its DMRG hands to the eigensolver."""
import quimb
from quimb.tensor import Tensor, tensor_core

VERSION = quimb.__version__


def _two_site(problem):
    *operators, vector = problem.arrays()
    (e,) = problem.einsums
    tensors = [Tensor(array, labels) for array, labels in zip(operators, e.inputs)]
    operator = tensor_core.TNLinearOperator(tensors, left_inds=e.output, right_inds=e.inputs[-1])
    flat = vector.ravel()
    return lambda: [operator.matvec(flat)]


KERNELS = {"two-site": _two_site}
