"""What a case means, for programs that contract arrays: its operands, and the contractions to be made of them. The numbers of the
operands are those of engine/kernel.hpp."""
import dataclasses
import math
import string

import values


@dataclasses.dataclass(frozen=True)
class Einsum:
    """A contraction: which operands, the labels of each, and those of the result."""

    operands: tuple
    inputs: tuple
    output: tuple

    def text(self):
        """In letters; labels of one contraction that needs more than there are raise ValueError."""
        labels = sorted({label for part in (*self.inputs, self.output) for label in part})
        letters = dict(zip(labels, string.ascii_letters))
        if len(letters) < len(labels):
            raise ValueError(f"{len(labels)} labels, and letters for {len(letters)}")
        return ",".join("".join(letters[k] for k in part) for part in self.inputs) + "->" + "".join(letters[k] for k in self.output)


@dataclasses.dataclass
class Problem:
    family: str
    arguments: dict
    extents: dict  # of each label
    shapes: list  # labels of each operand
    einsums: list
    pairs: list  # of a network: the operands to join, each result behind all others; else empty
    scales: list

    def integer(self, key):
        return int(self.arguments[key])

    @property
    def dtype(self):
        return self.arguments.get("dtype", "f64")

    def arrays(self):
        return [
            values.array(number, self.dtype, tuple(self.extents[label] for label in labels), scale)
            for number, (labels, scale) in enumerate(zip(self.shapes, self.scales))
        ]

    def sizes(self, einsum):
        return {label: self.extents[label] for part in einsum.inputs for label in part}


def _problem(family, arguments, extents, shapes, einsums, pairs=(), scales=None):
    made = [Einsum(tuple(numbers), tuple(tuple(shapes[n]) for n in numbers), tuple(out)) for numbers, out in einsums]
    return Problem(family, arguments, extents, shapes, made, list(pairs), scales or [1.0] * len(shapes))


def _gemm(a):
    n = int(a["n"])
    return dict.fromkeys("ijk", n), ["ik", "kj"], [((0, 1), "ij")]


def _ttm(a):
    mode = "ijk"[int(a["mode"])]
    extents = dict.fromkeys("ijk", int(a["s"])) | {"r": int(a["rank"])}
    return extents, ["ijk", mode + "r"], [((0, 1), "ijk".replace(mode, "r"))]


def _contraction(a):
    out, left, right = a["subscripts"].split("-")
    return {letter: int(a[letter]) for letter in {*out, *left, *right}}, [left, right], [((0, 1), out)]


def _cp_shapes(a):
    modes = string.ascii_lowercase[8 : 8 + int(a["order"])]  # i, j, ...; r comes later in the alphabet
    return modes, dict.fromkeys(modes, int(a["s"])) | {"r": int(a["rank"])}, [modes, *(m + "r" for m in modes)]


def _mttkrps(a, wanted):
    modes, extents, shapes = _cp_shapes(a)
    einsums = [([0, *(m + 1 for m in range(len(modes)) if m != n)], modes[n] + "r") for n in wanted(range(len(modes)))]
    return extents, shapes, einsums


def _gauss_newton(a):
    modes, extents, shapes = _cp_shapes(a)
    return extents, shapes[1:] * 2, []


def _ttmc(a):
    modes = string.ascii_lowercase[: int(a["order"])]
    extents = dict.fromkeys(modes, int(a["s"])) | dict.fromkeys(modes.upper(), int(a["rank"]))
    einsums = []
    for n, mode in enumerate(modes):
        out = modes.upper().replace(mode.upper(), mode)
        einsums.append(([0, *(m + 1 for m in range(len(modes)) if m != n)], out))
    return extents, [modes, *(m + m.upper() for m in modes)], einsums


def _two_site(a):
    m, d, w = (int(a[key]) for key in "mdw")
    extents = dict.fromkeys("aAbB", m) | dict.fromkeys("sStT", d) | dict.fromkeys("wvu", w)
    return extents, ["awA", "wsSv", "vtTu", "buB", "astb"], [((0, 1, 2, 3, 4), "ASTB")]


def _rows(file):
    with open(file, encoding="ascii") as lines:
        return [tuple(map(int, line.split())) for line in lines]


def _network(a):
    rows, pairs = _rows(a["network"]), _rows(a["pairs"])
    extents, output, shapes = dict(enumerate(rows[0])), rows[1], list(rows[2:])
    scales = [math.sqrt(12) * math.prod(extents[k] for k in labels) ** -0.25 for labels in shapes]
    return extents, shapes, [(range(len(shapes)), output)], pairs, scales


_FAMILIES = {
    "gemm": _gemm,
    "ttm": _ttm,
    "contraction": _contraction,
    "mttkrp": lambda a: _mttkrps(a, lambda modes: [modes[int(a["mode"])]]),
    "gradient": lambda a: _mttkrps(a, lambda modes: modes),
    "sweep": lambda a: _mttkrps(a, lambda modes: modes),
    "tucker-sweep": _ttmc,
    "gauss-newton": _gauss_newton,
    "ttmc": _ttmc,
    "two-site": _two_site,
    "network": _network,
}


def problem(family, arguments):
    """KeyError for a family that is not a matter of arrays alone."""
    return _problem(family, arguments, *_FAMILIES[family](arguments))


def pairwise(problem):
    """The contraction of a network in its pairs: for each the positions of both operands and an einsum of two."""
    terms, (whole,) = list(problem.shapes), problem.einsums
    steps = []
    for count, (left, right) in enumerate(problem.pairs, 1):
        a, b = terms[left], terms[right]
        terms[left] = terms[right] = ()
        needed = {label for term in terms for label in term} | set(whole.output)
        out = whole.output if count == len(problem.pairs) else tuple(k for k in dict.fromkeys((*a, *b)) if k in needed)
        terms.append(out)
        steps.append((left, right, Einsum((left, right), (a, b), out)))
    return steps
