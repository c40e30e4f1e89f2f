#!/usr/bin/env python3
"""Measures tyto and its peers in turn, and reports: run.py BUILD [--only REGEX] [--peers NAME...] [--docs]

BUILD is a release build of this repository; the programs needed are built there. Peers are installed from PyPI into a virtual environment
outside the repository. Results go to out/benchmarks: results.json and table.md; --docs also writes docs/performance.md with its plots.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

import cases
import environment
import measure
import networks
import report
from program import Program

_HERE = pathlib.Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent
_TRIES = 3  # of a case while the core is slower than it can be


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", help="cases whose name this regular expression finds; their results join earlier ones")
    parser.add_argument("--peers", nargs="*", default=list(environment.PEERS), choices=list(environment.PEERS))
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=0.2, help="of processor time, for each program in each round")
    parser.add_argument("--output", type=pathlib.Path, default=_ROOT / "out" / "benchmarks")
    parser.add_argument("--environment", type=pathlib.Path, default=environment.default_folder() / "peers")
    parser.add_argument("--docs", action="store_true", help="write docs/performance.md and docs/images from all results")
    return parser.parse_args()


class BestPeak:
    """The most that this machine was ever seen to do, kept beside the environment of the peers."""

    def __init__(self):
        self._file = environment.default_folder() / "best_peak.json"
        known = json.loads(self._file.read_text()) if self._file.exists() else {}
        self._processor, self._all = report.machine()["processor"], known
        self.value = known.get(self._processor, 0.0)

    def note(self, peak):
        if peak > self.value:
            self.value = self._all[self._processor] = peak
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(self._all) + "\n")


def build(folder):
    subprocess.run(["cmake", "--build", folder, "--target", "benchmarks", "plan_path"], check=True)
    return folder / "bin" / "benchmarks", folder / "bin" / "plan_path"


def progress(entry):
    tyto = entry["programs"].get("tyto")
    text = "does not run" if tyto is None else f"{tyto['seconds']:.3e} s" + (f" {tyto['fraction']:.2f}" if tyto["fraction"] else "")
    ratios = "  ".join(f"{name} {program['ratio']:.2f}" for name, program in entry["programs"].items() if name != "tyto" and tyto)
    wrong = "  ".join(f"{name}: {why}" for name, why in entry["absent"].items() if why != "has no such kernel")
    print(f"{entry['name']:40} {text}  {ratios}  {wrong}", flush=True)


def measured(chosen, programs, peak_program, best, options):
    for case in chosen:
        for _ in range(_TRIES):
            made = measure.measure(case, programs, peak_program, options.rounds, options.seconds)
            best.note(made.peak)
            entry = report.entry_of(made, best.value)
            if not entry["is_void"] or measure.is_long(made):
                break
        progress(entry)
        yield entry


def merged(path, results):
    """With the earlier results of cases that were not measured now."""
    earlier = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"cases": [], "versions": {}, "absent": {}}
    found = {entry["name"]: entry for entry in [*earlier["cases"], *results["cases"]]}
    return results | {
        "cases": [found[name] for name in results["order"] if name in found],
        "versions": earlier["versions"] | results["versions"],
        "absent": {name: why for name, why in (earlier["absent"] | results["absent"]).items() if name not in results["versions"]},
    }


def save(folder, results):
    report.write_json(folder / "results.json", results)
    (folder / "table.md").write_text(report.markdown(results, list(cases.ABLATION_LEVELS)), encoding="utf-8")


def programs_of(binary, peers, present):
    """By name, tyto first; and another of tyto for the peak."""
    programs = {"tyto": Program("tyto", [binary])}
    for name in present:
        programs[name] = Program(name, [peers.python, "-B", _HERE / "peers" / "serve.py", name])
    peak = Program("peak", [binary])
    peak.ask("prepare peak")
    return programs, peak


def write_page(results, peers):
    """docs/performance.md and its plots; False without matplotlib."""
    if not peers.has_plots():
        print("no docs/performance.md: matplotlib does not install")
        return False
    subprocess.run([peers.python, "-B", _HERE / "plots.py", results, _ROOT / "docs" / "images"], check=True)
    text = report.page(json.loads(results.read_text(encoding="utf-8")), list(cases.ABLATION_LEVELS))
    (_ROOT / "docs" / "performance.md").write_text(text, encoding="utf-8")
    return True


def main():
    options = arguments()
    binary, plan_path = build(options.build)
    peers = environment.Environment(options.environment)
    present, missing = peers.peers(options.peers)
    programs, peak = programs_of(binary, peers, present)
    all_cases = cases.all_cases(_ROOT, networks.written(options.output / "networks", plan_path))
    chosen = [case for case in all_cases if re.search(options.only, case.name)]
    best = BestPeak()
    versions = {name: peers.versions[name] for name in present if name in peers.versions}
    results = {"machine": report.machine(), "versions": versions, "absent": missing, "order": [case.name for case in all_cases], "cases": []}
    path = options.output / "results.json"
    for entry in measured(chosen, programs, peak, best, options):
        results["cases"].append(entry)
        results["best_peak"] = best.value
        save(options.output, merged(path, results))  # each time: what was measured before an interruption is kept
    for program in [*programs.values(), peak]:
        program.close()
    is_written = not options.docs or write_page(path, peers)
    print(f"results: {path}, {options.output / 'table.md'}")
    return 0 if is_written else 1


if __name__ == "__main__":
    sys.exit(main())
