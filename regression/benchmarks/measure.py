"""Measures cases on programs in turn: A B A B, with the data of all in memory, and the peak of the core within each round."""
import dataclasses
import statistics

# Results agree where they differ by less than this part of what was summed.
_AGREEMENT = {"f64": 1e-10, "c128": 1e-10, "f32": 1e-3, "c64": 1e-3}
_PEAK_SECONDS = 0.03
_LONG = 10  # seconds: a kernel that takes as much is executed once, not once a round
_LARGEST_THREADS = 1.15  # processor seconds over wall seconds: more is more than one thread


@dataclasses.dataclass
class Timing:
    seconds: float  # median
    spread: float  # the range of the middle half of all samples over the median
    samples: int


@dataclasses.dataclass
class Measured:
    case: object
    peak: float  # flops a second, median of the rounds
    timings: dict  # by program
    absent: dict  # why, by program
    facts: dict  # what tyto says beside


def _timing(samples):
    samples = sorted(samples)
    median = statistics.median(samples)
    quartiles = statistics.quantiles(samples, n=4) if len(samples) > 3 else (samples[0], median, samples[-1])
    return Timing(median, (quartiles[2] - quartiles[0]) / median if median > 0 else 0.0, len(samples))


def _disagreement(case, expected, found):
    """Empty where the results are the same."""
    tolerance = _AGREEMENT[case.arguments.get("dtype", "f64")]
    size = max(expected["size"], found["size"])
    difference = abs(expected["sum"] - found["sum"])
    return "" if difference <= tolerance * size else f"other results: they differ by {difference:.2g} of {size:.2g}"


def is_long(made):
    """Whether something took so long that it should not be measured again."""
    return any(timing.seconds >= _LONG for timing in made.timings.values())


def measure(case, programs, peak_program, rounds, seconds):
    """`programs` by name, tyto first; each measures for about `seconds` of processor time in each round."""
    ready, absent, first = {}, {}, None
    for name, program in programs.items():
        said = program.ask("prepare " + case.request())
        if "absent" not in said and first is not None:
            wrong = _disagreement(case, first, said)
            if wrong:
                said = {"absent": wrong}
        if "absent" in said:
            absent[name] = said["absent"]
            continue
        first = first or said
        ready[name] = program
    peaks, samples = [], {name: [] for name in ready}
    for _ in range(rounds):
        peaks += peak_program.ask(f"measure {_PEAK_SECONDS}")["seconds"]
        for name, program in list(ready.items()):
            if samples[name] and samples[name][-1] >= _LONG:
                continue
            said = program.ask(f"measure {seconds}")
            if said.get("threads", 1) > _LARGEST_THREADS:
                said = {"absent": f"it used {said['threads']:.1f} threads"}
            if "absent" in said:
                absent[name] = said["absent"]
                del ready[name]
                continue
            samples[name] += said["seconds"]
    for program in programs.values():
        program.ask("drop")
    timings = {name: _timing(samples[name]) for name in ready}
    facts = {key: value for key, value in (first or {}).items() if key not in ("sum", "size")}
    return Measured(case, 1e6 / statistics.median(peaks), timings, absent, facts)
