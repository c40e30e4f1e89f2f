"""What the numbers have to be: fractions of the peak stand with the cases, here are the ratios; and which of all are met."""
import dataclasses
import math
import re


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
    return [*_fractions(entries), *_ratios(entries), *_gain(by_name), *_replay(by_name)]
