"""Transpose, GEMM, transpose: what a contraction of two costs with a fast matrix product (OpenBLAS of numpy) and no engine. Arrays
between the three are made beforehand."""
import math

import numpy

VERSION = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]["version"]


def _moved(array, order, shape):
    """A function that gives `array` with axes in this order as a row-major array of this shape, copied where that is needed."""
    view = array.transpose(order)
    if view.flags.c_contiguous:
        return lambda: view.reshape(shape)
    target = numpy.empty(view.shape, view.dtype)

    def move():
        numpy.copyto(target, view)
        return target.reshape(shape)

    return move


def _contraction(problem):
    (e,) = problem.einsums
    left, right = e.inputs
    if len(set(left)) < len(left) or len(set(right)) < len(right):
        raise NotImplementedError("is not for repeated labels")
    batch = [k for k in e.output if k in left and k in right]
    rows = [k for k in e.output if k in left and k not in right]
    columns = [k for k in e.output if k in right and k not in left]
    summed = [k for k in left if k in right and k not in e.output]
    if len(batch + rows + summed) < len(left) or len(batch + columns + summed) < len(right):
        raise NotImplementedError("is not for sums over one operand")
    size = lambda labels: math.prod(problem.extents[k] for k in labels)
    a, b = problem.arrays()
    a = _moved(a, [left.index(k) for k in batch + rows + summed], (size(batch), size(rows), size(summed)))
    b = _moved(b, [right.index(k) for k in batch + summed + columns], (size(batch), size(summed), size(columns)))
    made = batch + rows + columns
    product = numpy.empty((size(batch), size(rows), size(columns)), a().dtype)
    whole = product.reshape([problem.extents[k] for k in made])
    result = _moved(whole, [made.index(k) for k in e.output], [problem.extents[k] for k in e.output])

    def run():
        numpy.matmul(a(), b(), out=product)
        return [result()]

    return run


KERNELS = dict.fromkeys(("gemm", "ttm", "contraction"), _contraction)
