#!/usr/bin/env python3
"""The part of the benchmarks that continuous integration runs, without peers: smoke.py BENCHMARKS [--only TEXT]

BENCHMARKS is the program. Every kernel must reach half of its target, as a fraction of the peak of one core that is measured beside it, in
one of three tries: a machine that others use can only look slower than it is. Those in known_misses.txt may miss that for now; one of them
that clearly does not any more is said, so that the list stays true.
"""
import argparse
import pathlib
import sys

import cases
import measure
import targets
from program import Program

_FLOOR = 0.5  # of the target
_ROUNDS, _SECONDS = 3, 0.15
_TRIES = 3  # while the core is slower than it was within this run
_MEASUREMENTS = 3  # of a kernel that misses
_TRUE_PEAK = 0.95
_CLEARLY = 1.5  # over what is needed: no chance of a busy machine


def known_misses(file):
    """Name -> why."""
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip() and not line.startswith("#")]
    return dict(tuple(part.strip() for part in line.split("|", 1)) for line in lines)


class Bench:
    """Measures with a peak that is near the best of the run."""

    def __init__(self, binary):
        self._tyto, self._peak = Program("tyto", [binary]), Program("peak", [binary])
        self._peak.ask("prepare peak")
        self._best = 0.0

    def measured(self, case):
        for _ in range(_TRIES):
            made = measure.measure(case, {"tyto": self._tyto}, self._peak, _ROUNDS, _SECONDS)
            self._best = max(self._best, made.peak)
            if made.peak >= _TRUE_PEAK * self._best:
                break
        return made

    def close(self):
        self._tyto.close()
        self._peak.close()


def result(made):
    """(reached, needed, text) of a case; as `reached` grows it is better."""
    case = made.case
    if "tyto" not in made.timings:
        return 0.0, 1.0, f"did not run: {made.absent['tyto']}"
    seconds = made.timings["tyto"].seconds
    if case.family == "replay":
        nanoseconds, allocations = 1e9 * seconds / made.facts["steps"], made.facts["allocations"]
        target = targets.REPLAY_NANOSECONDS
        needed = target / _FLOOR
        text = f"{nanoseconds:.0f} ns a step and {allocations:.0f} allocations; needed {needed:.0f} and 0; target {target} and 0"
        return (needed / nanoseconds if allocations == 0 else 0.0), 1.0, text
    fraction, needed = case.flops / seconds / made.peak, _FLOOR * case.target
    text = f"{fraction:.2f} of {made.peak / 1e9:.1f} Gflop/s; needed {needed:.3f}; target {case.target}; {1e3 * seconds:.3g} ms of {case.formula}"
    return fraction, needed, text


def judged(name, reached, needed, known):
    """(word, whether that is an error)"""
    if reached < needed:
        return ("known", False) if name in known else ("MISSED", True)
    if name in known and reached > _CLEARLY * needed:
        return "NOT MISSED: take it out of known_misses.txt", False
    return "kept", False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    known = known_misses(pathlib.Path(__file__).with_name("known_misses.txt"))
    chosen = [case for case in cases.smoke_cases() if arguments.only in case.name]
    strangers = set(known) - {case.name for case in cases.smoke_cases()}
    assert not strangers, f"known_misses.txt names what is not measured: {sorted(strangers)}"
    bench, errors, misses = Bench(arguments.binary), 0, 0
    for case in chosen:
        for _ in range(1 if case.name in known else _MEASUREMENTS):
            reached, needed, text = result(bench.measured(case))
            if reached >= needed:
                break
        word, is_error = judged(case.name, reached, needed, known)
        errors += is_error
        misses += word == "known"
        print(f"{case.name:34} {text}  {word}", flush=True)
    bench.close()
    print(f"{len(chosen) - errors - misses} of {len(chosen)} kernels reach half of their target, {misses} are known not to; {errors} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
