"""What is measured: kernels with their sizes, the flops by which they are judged, and the targets."""
import dataclasses
import math
import re


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    family: str  # of engine/kernel.hpp and peers/problems.py
    arguments: dict
    flops: float  # by the formula, whatever an implementation computes
    formula: str
    target: float = 0.0  # fraction of the peak of one core; 0: none
    is_smoke: bool = False  # part of what continuous integration runs

    def request(self):
        return " ".join([self.family, *(f"{key}={value}" for key, value in self.arguments.items())])


def gemm():
    return [
        Case(f"gemm {n}", "gemm", {"n": n}, 2 * n**3, "2 n^3", target, n < 2048)
        for n, target in ((512, 0.85), (1024, 0.88), (2048, 0.88))
    ]


def times_matrix():
    s, cases = 320, []
    for rank, target in ((16, 0.60), (64, 0.70), (160, 0.80)):
        for mode, position in enumerate(("first", "middle", "last")):
            arguments = {"s": s, "rank": rank, "mode": mode}
            cases.append(
                Case(f"ttm {position} s={s} R={rank}", "ttm", arguments, 2 * s**3 * rank, "2 s^3 R",
                     target if position != "middle" else 0.0, position != "middle" and rank < 160))
    return cases


def mttkrp():
    cases = []
    for s, rank in ((160, 16), (320, 16), (320, 32), (320, 64)):
        for mode in range(3):
            arguments = {"order": 3, "s": s, "rank": rank, "mode": mode}
            cases.append(Case(f"mttkrp mode {mode} s={s} R={rank}", "mttkrp", arguments, 2 * s**3 * rank, "2 s^3 R",
                              0.75 if s == 320 else 0.0, s == 320 and rank == 16))
        cases.append(Case(f"gradient s={s} R={rank}", "gradient", {"order": 3, "s": s, "rank": rank}, 4 * s**3 * rank, "4 s^3 R",
                          0.75 if s == 320 else 0.0, s == 320 and rank == 16))
    return cases


def _sweep(order, s, rank, cycle=1, target=0.0, is_smoke=False, has_parts=False):
    name = f"sweep order {order} s={s} R={rank}" + (f" cycle {cycle}" if cycle > 1 else "")
    arguments = {"order": order, "s": s, "rank": rank, "cycle": cycle} | ({"parts": 1} if has_parts else {})
    return Case(name, "sweep", arguments, 4 * s**order * rank, "4 s^N R", target, is_smoke)


def sweeps():
    return [
        _sweep(3, 320, 16, 1, 0.50, True),
        _sweep(3, 320, 16, 2),
        _sweep(3, 160, 160, 1, 0.0, has_parts=True),
        _sweep(3, 320, 320, 1, 0.70),
        _sweep(4, 30, 30, 1, 0.45, True),
        _sweep(5, 30, 30, 1, 0.45, True),
        _sweep(6, 20, 20, 1, 0.45, True),
    ]


_BESIDE = (1, 3, 5)  # more than a multiple of the vector width


def beside_widths():
    """Lists of cases: one whose extents are multiples of the vector width, then those with one extent, or all, a little larger."""

    def products(n):
        return Case(f"gemm {n}", "gemm", {"n": n}, 2 * n**3, "2 n^3")

    def of_mode(mode, position):
        def case(s, rank):
            arguments = {"s": s, "rank": rank, "mode": mode}
            return Case(f"ttm {position} s={s} R={rank}", "ttm", arguments, 2 * s**3 * rank, "2 s^3 R")
        return case

    def mttkrp_of(mode):
        def case(s, rank):
            arguments = {"order": 3, "s": s, "rank": rank, "mode": mode}
            return Case(f"mttkrp mode {mode} s={s} R={rank}", "mttkrp", arguments, 2 * s**3 * rank, "2 s^3 R")
        return case

    pairs = [[products(512 + more) for more in (0, *_BESIDE)]]
    for kernel in (of_mode(0, "first"), of_mode(2, "last"), mttkrp_of(0), mttkrp_of(2)):
        pairs.append([kernel(320 + more, 64) for more in (0, *_BESIDE)])
        pairs.append([kernel(320, 64 + more) for more in (0, *_BESIDE)])
    return pairs


def tucker_sweeps():
    return [
        Case(f"tucker sweep s={s} R={rank}", "tucker-sweep", {"order": 3, "s": s, "rank": rank, "cycle": 1}, 4 * s**3 * rank, "4 s^N R")
        for s, rank in ((200, 20), (200, 100))
    ]


def gauss_newton():
    return [
        Case(f"gauss-newton s=R={s}", "gauss-newton", {"order": 3, "s": s, "rank": s}, 18 * s**3, "6 N s R^2", target, s < 640)
        for s, target in ((40, 0.60), (80, 0.75), (160, 0.75), (640, 0.80))
    ]


def ttmc():
    return [
        Case(f"ttmc s=320 R={rank}", "ttmc", {"order": 3, "s": 320, "rank": rank}, 4 * 320**3 * rank, "4 s^N R", target, rank == 16)
        for rank, target in ((16, 0.55), (64, 0.70))
    ]


def two_site():
    cases = []
    for m, d, w, target in ((64, 2, 5, 0), (128, 2, 5, 0.75), (256, 2, 5, 0), (512, 2, 5, 0.85), (10, 10, 20, 0), (40, 10, 20, 0)):
        flops = 4 * m**3 * d**2 * w + 4 * m**2 * d**3 * w**2
        cases.append(Case(f"two-site m={m} d={d} w={w}", "two-site", {"m": m, "d": d, "w": w}, flops,
                          "4 m^3 d^2 w + 4 m^2 d^3 w^2", target, m == 128))
    return cases


def replay():
    steps = 64
    return [Case("replay", "replay", {"steps": steps}, 8 * steps, "8 flops a step", is_smoke=True)]


def contractions(file):
    """Those of a list: OUT-LEFT-RIGHT, extents, name; see there."""
    cases = []
    for line in file.read_text(encoding="ascii").splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        extents = {letter: int(extent) for letter, extent in (word.split("=") for word in words[1:-1])}
        flops = 2 * math.prod(extents[letter] for letter in set(re.sub("-", "", words[0])))
        cases.append(Case(f"contraction {words[-1]}", "contraction", {"subscripts": words[0]} | extents, flops, "2 x all extents"))
    return cases


def networks(written):
    return [
        Case(f"network {name}", "network", arguments, flops, "2 (complex: 8) x the extents of each pair")
        for name, (arguments, flops) in written.items()
    ]


# Passes of the optimizer as the steps of Table I of AutoHOOT (Ma, Ye, Solomonik, 2020): what each step adds.
_FUSION = ("algebra", "distribute", "fuse", "contraction_path")
_SYMBOLIC = ("prune_identities", "prune_orthonormal", "structured_solve", "prune_inverses", "factor")
_SHARING = ("common_subexpressions", "message_tree")
ABLATION_LEVELS = {
    "none": _FUSION + _SYMBOLIC + _SHARING,
    "+ fusion, distribution": _SYMBOLIC + _SHARING,
    "+ symbolic": _SHARING,
    "+ sharing": (),
}

_ABLATION_LIMITS = {"memory": 12 << 30, "flops": 10**12}  # what is above does not run


def ablation():
    cases = []
    for kernel, sizes in (("jacobian", (25,)), ("gauss-newton", (40, 640)), ("hessian", (40, 160)), ("inverse-hessian", (40, 160))):
        for s in sizes:
            for level, off in ABLATION_LEVELS.items():
                arguments = {"kernel": kernel, "s": s} | _ABLATION_LIMITS | ({"off": ",".join(off)} if off else {})
                cases.append(Case(f"ablation {kernel} s={s} {level}", "ablation", arguments, 0, ""))
    return cases


def plots():
    """Sizes, ranks and orders of the plots that no case above has."""
    cases = [_sweep(3, s, s) for s in (40, 80, 240)] + [_sweep(3, 200, rank) for rank in (8, 16, 32, 64, 128, 200)]
    cases += [_sweep(order, s, 16) for order, s in ((3, 160), (4, 45), (5, 21), (6, 13))]
    for order, s in ((3, 160), (4, 45), (5, 21), (6, 13)):
        arguments = {"order": order, "s": s, "rank": 8}
        cases.append(Case(f"ttmc order {order} s={s} R=8", "ttmc", arguments, 4 * s**order * 8, "4 s^N R"))
    for s, rank in [(s, s // 2) for s in (40, 80, 160, 240)] + [(200, rank) for rank in (8, 16, 32, 64, 100)]:
        arguments = {"order": 3, "s": s, "rank": rank}
        cases.append(Case(f"ttmc s={s} R={rank}", "ttmc", arguments, 4 * s**3 * rank, "4 s^N R"))
    for s in (20, 320):
        cases.append(Case(f"gauss-newton s=R={s}", "gauss-newton", {"order": 3, "s": s, "rank": s}, 18 * s**3, "6 N s R^2"))
    return cases


def all_cases(root, written_networks):
    """`root` is that of the repository."""
    made = [*gemm(), *times_matrix(), *mttkrp(), *(case for cases in beside_widths() for case in cases[1:]), *sweeps(), *tucker_sweeps(), *gauss_newton(), *ttmc(), *two_site(), *replay()]
    made += contractions(root / "regression" / "contractions" / "named.txt")
    made += [*networks(written_networks), *ablation(), *plots()]
    names = [case.name for case in made]
    assert len(set(names)) == len(names), "two cases have one name"
    return made


def smoke_cases():
    return [case for case in (*gemm(), *times_matrix(), *mttkrp(), *sweeps(), *gauss_newton(), *ttmc(), *two_site(), *replay()) if case.is_smoke]
