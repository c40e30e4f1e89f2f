"""What the numbers have to be: fractions of the peak stand with the cases, here are the ratios; and which of all are met."""
import dataclasses
import math
import re

import cases


@dataclasses.dataclass(frozen=True)
class Ratio:
    """Time of a peer over tyto's: the geometric mean over all cases whose name matches, which may be one."""

    cases: str
    peer: str
    needed: float


RATIOS = [
    Ratio(r"sweep order 5 s=30 R=30", "numpy", 5.0),
    Ratio(r"sweep order 6 s=20 R=20", "numpy", 5.0),
    Ratio(r"tucker sweep s=200 R=100", "tensorly", 2.0),
    Ratio(r"gauss-newton s=R=40", "numpy", 1.5),
    Ratio(r"gauss-newton s=R=640", "numpy", 1.0),
    Ratio(r"gauss-newton s=R=640", "jax", 20.0),
    Ratio(r"contraction .*", "blas", 1.0),
    Ratio(r"contraction .*", "numpy", 2.0),
    Ratio(r"network .*", "numpy", 2.0),
]
# A tree over several sweeps takes less time for one than a tree for each.
_ONE_CYCLE, _TWO_CYCLES, _GAIN = "sweep order 3 s=320 R=16", "sweep order 3 s=320 R=16 cycle 2", 1.25
# Time per flop where extents are no multiples of the vector width, over that where they are.
_BESIDE_WIDTHS = 1.10
# What is not products in a sweep: Cholesky, norms, error, normalization.
_PARTS, _OUTSIDE_PRODUCTS = "sweep order 3 s=160 R=160", 0.15
_MORE_PASSES = 1.10  # time with more passes over that with fewer; what is above 1 is noise
REPLAY_NANOSECONDS = 100  # of a step; and no allocation


@dataclasses.dataclass(frozen=True)
class Verdict:
    what: str
    needed: str
    found: str
    is_met: bool


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def _fractions(entries):
    for entry in entries:
        tyto = entry["programs"].get("tyto")
        if entry["target"]:
            fraction = tyto["fraction"] if tyto else 0.0
            yield Verdict(entry["name"], f"{entry['target']:.2f} of peak", f"{fraction:.2f}", fraction >= entry["target"])


def _ratios(entries):
    for target in RATIOS:
        programs = [entry["programs"] for entry in entries if re.fullmatch(target.cases, entry["name"])]
        found = [of[target.peer]["ratio"] for of in programs if target.peer in of and "tyto" in of]
        if found:
            mean, name = geometric_mean(found), target.cases.replace(" .*", f"s, mean of {len(found)}")
            yield Verdict(name, f"{target.needed:.2f} x {target.peer}", f"{mean:.2f}", mean >= target.needed)


def _gain(by_name):
    if _ONE_CYCLE in by_name and _TWO_CYCLES in by_name:
        one, two = (by_name[name]["programs"]["tyto"]["seconds"] for name in (_ONE_CYCLE, _TWO_CYCLES))
        yield Verdict(_TWO_CYCLES, f"{_GAIN:.2f} x one sweep a cycle", f"{one / two:.2f}", one / two >= _GAIN)


def _beside_widths(by_name):
    for base, *others in cases.beside_widths():
        names = [case.name for case in (base, *others)]
        fractions = [by_name[name]["programs"]["tyto"]["fraction"] for name in names if name in by_name]
        if len(fractions) == len(names):
            worst = max(fractions[0] / fraction for fraction in fractions[1:])
            yield Verdict(f"{others[0].name} and the like", f"{_BESIDE_WIDTHS:.2f} x {base.name} per flop", f"{worst:.2f}", worst <= _BESIDE_WIDTHS)


def _outside_products(by_name):
    if "product seconds" in by_name.get(_PARTS, {"facts": {}})["facts"]:
        entry = by_name[_PARTS]
        share = 1 - entry["facts"]["product seconds"] / entry["programs"]["tyto"]["seconds"]
        yield Verdict(f"{_PARTS}, all but products", f"{_OUTSIDE_PRODUCTS:.2f} of its time", f"{share:.2f}", share <= _OUTSIDE_PRODUCTS)


def _more_passes(by_name):
    """Each level of the ablation against the best of those with fewer passes; a plan that could not be run is no time."""
    kernels = dict.fromkeys(case.name.removesuffix(" none") for case in cases.ablation() if case.name.endswith(" none"))
    for kernel in kernels:
        entries = [by_name.get(f"{kernel} {level}") for level in cases.ABLATION_LEVELS]
        times = [entry["programs"]["tyto"]["seconds"] for entry in entries if entry and "tyto" in entry["programs"]]
        if len(times) > 1:
            worst = max(time / min(times[:k]) for k, time in enumerate(times) if k > 0)
            yield Verdict(kernel, f"{_MORE_PASSES:.2f} of the time with fewer passes", f"{worst:.2f}", worst <= _MORE_PASSES)


def nanoseconds_of_step(entry):
    return 1e9 * entry["programs"]["tyto"]["seconds"] / entry["facts"]["steps"]


def _replay(by_name):
    if "replay" in by_name:
        time, allocations = nanoseconds_of_step(by_name["replay"]), by_name["replay"]["facts"]["allocations"]
        is_met = time < REPLAY_NANOSECONDS and allocations == 0
        yield Verdict("replay", f"{REPLAY_NANOSECONDS} ns a step, no allocation", f"{time:.0f} ns, {allocations:.0f}", is_met)


def verdicts(results):
    entries = results["cases"]
    by_name = {entry["name"]: entry for entry in entries}
    return [*_fractions(entries), *_ratios(entries), *_gain(by_name), *_beside_widths(by_name),
            *_outside_products(by_name), *_more_passes(by_name), *_replay(by_name)]
