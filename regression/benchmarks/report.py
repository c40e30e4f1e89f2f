"""Measured numbers as JSON, and as Markdown tables."""
import json
import platform
import time

import targets

_TRUE_PEAK = 0.95  # of the best known: below it a case is void


def machine():
    """What the numbers are of."""
    model = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {"processor": model, "system": platform.platform(), "date": time.strftime("%Y-%m-%d")}


def peak_of(entry, peak):
    """Of the case's type: half as wide numbers are twice as many."""
    return peak * (2 if entry["arguments"].get("dtype") in ("f32", "c64") else 1)


def entry_of(made, best_peak):
    """A measured case as JSON has it."""
    case = made.case
    arguments = {key: str(value) for key, value in case.arguments.items() if key not in ("network", "pairs")}
    entry = {"name": case.name, "family": case.family, "arguments": arguments, "flops": case.flops, "formula": case.formula,
             "target": case.target, "peak": made.peak, "facts": made.facts, "absent": made.absent, "programs": {}}
    entry["is_void"] = made.peak < _TRUE_PEAK * best_peak
    for name, timing in made.timings.items():
        fraction = case.flops / timing.seconds / peak_of(entry, made.peak) if case.flops else None
        entry["programs"][name] = {"seconds": timing.seconds, "spread": timing.spread, "samples": timing.samples, "fraction": fraction}
    tyto = made.timings.get("tyto")
    if tyto:
        for name, program in entry["programs"].items():
            program["ratio"] = program["seconds"] / tyto.seconds
    return entry


def _time(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def _row(cells):
    return "| " + " | ".join(cells) + " |\n"


def _table(header, rows):
    return _row(header) + "|" + "|".join(["---"] + ["-:"] * (len(header) - 1)) + "|\n" + "".join(map(_row, rows)) + "\n"


def _cells(entry, peers):
    tyto = entry["programs"].get("tyto")
    if tyto is None:
        return [entry["name"], entry["absent"].get("tyto", ""), "", "", "", *([""] * len(peers))]
    fraction = f"{tyto['fraction']:.2f}" + (" void" if entry["is_void"] else "") if tyto["fraction"] else ""
    target = f"{entry['target']:.2f}" + ("" if tyto["fraction"] >= entry["target"] else " **missed**") if entry["target"] else ""
    ratios = [f"{entry['programs'][p]['ratio']:.2f}" if p in entry["programs"] else "" for p in peers]
    return [entry["name"], _time(tyto["seconds"]), f"{100 * tyto['spread']:.0f} %", fraction, target, *ratios]


def family_table(entries):
    """Times and fractions of tyto, and times of its peers over its own."""
    peers = sorted({peer for entry in entries for peer in entry["programs"]} - {"tyto"})
    text = f"Flops: {', '.join(sorted({entry['formula'] for entry in entries}))}.\n\n"
    rows = [_cells(entry, peers) for entry in entries]
    if len(entries) >= 20:
        means = []
        for peer in peers:
            ratios = [entry["programs"][peer].get("ratio") for entry in entries if peer in entry["programs"]]
            ratios = [ratio for ratio in ratios if ratio]
            means.append(f"{targets.geometric_mean(ratios):.2f} ({len(ratios)})")
        rows.append(["geometric mean (of)", "", "", "", "", *means])
    return text + _table(["kernel", "tyto", "spread", "of peak", "target", *(f"{p} / tyto" for p in peers)], rows)


def replay_text(entry):
    facts = entry["facts"]
    return (f"A plan of {facts['steps']:.0f} tiny steps is replayed in {targets.nanoseconds_of_step(entry):.0f} ns a step, with "
            f"{facts['allocations']:.0f} allocations.\n\n")


def verdict_table(results):
    rows = [[v.what, v.needed, v.found, "" if v.is_met else "**missed**"] for v in targets.verdicts(results)]
    met = sum(not row[-1] for row in rows)
    return f"### Targets\n\n{met} of {len(rows)} are met.\n\n" + _table(["kernel", "needed", "measured", ""], rows)


def _why_not(entry):
    why = entry["absent"].get("tyto", "")
    return "too large" if "memory" in why else "too long" if "too long" in why else "fails"


def ablation_table(entries, levels):
    """Kernels as rows, passes switched on as columns."""
    kernels = {}
    for entry in entries:
        _, kernel, size, level = entry["name"].split(" ", 3)
        tyto = entry["programs"].get("tyto")
        kernels.setdefault(f"{kernel} {size}", {})[level] = _time(tyto["seconds"]) if tyto else _why_not(entry)
    return _table(["kernel", *levels], [[name, *(of.get(level, "") for level in levels)] for name, of in kernels.items()])


_TITLES = {
    "gemm": "Matrix products", "ttm": "Tensor times matrix", "mttkrp": "MTTKRP of one mode", "gradient": "Gradient of CP, all modes",
    "sweep": "Whole sweeps of CP-ALS", "tucker-sweep": "Whole sweeps of HOOI",
    "gauss-newton": "Products with the Gauss-Newton matrix of CP",
    "ttmc": "Tucker: tensor times all matrices but one, for all modes", "two-site": "Two-site products of DMRG", "replay": "Replay of a plan",
    "contraction": "Pairwise contractions", "network": "Whole networks at equal path", "ablation": "Passes of the optimizer",
}


def markdown(results, levels):
    """All tables. `results` is the content of the JSON file."""
    about = results["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in sorted(results["versions"].items()))
    text = (f"{about['processor']}, {about['system']}, {about['date']}; peak of one core {results['best_peak'] / 1e9:.1f} Gflop/s of double "
            f"precision. One thread, processor time, medians; *spread* is the range of the middle half of the samples over the median. "
            f"Peers: time over tyto's, so above 1 tyto is faster. {versions}.\n\n")
    if results["absent"]:
        text += "Not compared: " + "; ".join(f"{name} ({why})" for name, why in sorted(results["absent"].items())) + ".\n\n"
    text += verdict_table(results)
    for family, title in _TITLES.items():
        entries = [entry for entry in results["cases"] if entry["family"] == family]
        if not entries:
            continue
        text += f"### {title}\n\n"
        if family == "ablation":
            text += ablation_table(entries, levels)
        elif family == "replay":
            text += "".join(map(replay_text, entries))
        else:
            text += family_table(entries)
    return text


_PAGE = """# Performance

Kernels of tyto beside those of its peers, and as fractions of what one core can do. Numbers of one machine on one day, made by
`regression/benchmarks/run.py`, which tells in its README what each of them is.

![over the size](images/benchmarks-size.svg)

![over the rank](images/benchmarks-rank.svg)

![over the order](images/benchmarks-order.svg)

"""


def page(results, levels):
    """docs/performance.md"""
    return _PAGE + markdown(results, levels).replace("\n### ", "\n## ").rstrip() + "\n"


def write_json(path, results):
    path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
