"""The numbers that every program of a comparison computes with: engine/values.hpp in Python."""
import functools

import numpy

FIRST_WEIGHT = 1_000_000
BLOCK = 1 << 22  # elements worked out at a time


def _uniform(number, first, count):
    z = numpy.arange(first + 1, first + 1 + count, dtype=numpy.uint64)
    z += numpy.uint64(number << 36)
    z *= numpy.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    z ^= z >> numpy.uint64(31)
    return (z >> numpy.uint64(11)).astype(numpy.float64) * 2.0**-53 - 0.5


@functools.lru_cache(maxsize=8)  # cases that follow each other often have the same data
def array(number, dtype, extents, scale=1.0):
    """Array `number`, row-major, of "f32", "f64", "c64" or "c128"; not to be written to."""
    part, whole = {"f32": ("f4", "f4"), "f64": ("f8", "f8"), "c64": ("f4", "c8"), "c128": ("f8", "c16")}[dtype]
    count = int(numpy.prod(extents, dtype=numpy.int64)) * (2 if whole[0] == "c" else 1)
    values = numpy.empty(count, part)
    for first in range(0, count, BLOCK):
        size = min(BLOCK, count - first)
        values[first : first + size] = scale * _uniform(number, first, size)
    values.flags.writeable = False
    return values.view(whole).reshape(extents)


def digest(results):
    """Sum of the results' elements times numbers of their own, and the sum of the magnitudes of what was summed."""
    total = size = 0.0
    for which, result in enumerate(results):
        flat = numpy.ascontiguousarray(result).ravel()
        flat = flat.view(flat.real.dtype)
        for first in range(0, flat.size, BLOCK):
            part = flat[first : first + BLOCK].astype(numpy.float64)
            terms = part * _uniform(FIRST_WEIGHT + which, first, part.size)
            total += float(terms.sum())
            size += float(numpy.abs(terms).sum())
    return total, size
