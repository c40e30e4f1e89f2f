#!/usr/bin/env python3
"""Compares tyto's contraction paths with cotengra's: `compare.py PLAN_PATH [--presets auto auto-hq] [--only NAME...]`.

PLAN_PATH is the program of that name here (target plan_path). Needs cotengra, einsum-benchmark and networkx from PyPI. Costs of
both are counted from their pairs by one function, scalar multiplications as cotengra counts them; times are seconds of processor
time of one thread, measured in this run. The default of cotengra is its preset `auto`, which cotengra.einsum uses."""
import argparse
import math
import os
import subprocess
import sys
import tempfile
import time

import cotengra

from instances import instances, write


def log10_flops(inputs, output, extents, pairs):
    """Of the sum over all pairs of the product of the extents of all labels of the pair. Labels of one operand alone are summed
    beforehand, for free."""
    needed = {}
    for labels in [*inputs, output]:
        for label in labels:
            needed[label] = needed.get(label, 0) + 1

    def without_finished(counts):
        return {label: count for label, count in counts.items() if count < needed[label]}

    values = []
    for labels in inputs:
        counts = {}
        for label in labels:
            counts[label] = counts.get(label, 0) + 1
        values.append(without_finished(counts))
    total = 0
    for left, right in pairs:
        joined = dict(values[left])
        for label, count in values[right].items():
            joined[label] = joined.get(label, 0) + count
        total += math.prod(extents[label] for label in joined)
        values[left] = values[right] = None
        values.append(without_finished(joined))
    assert len(values) == 2 * len(inputs) - 1
    return math.log10(max(total, 1))


def cotengra_pairs(inputs, output, extents, preset):
    optimizers = {"auto": cotengra.AutoOptimizer, "auto-hq": cotengra.AutoHQOptimizer}
    names = [cotengra.get_symbol(label) for label in range(len(extents))]  # its compiled part takes texts only
    sizes = dict(zip(names, extents))
    operands = [tuple(names[label] for label in labels) for labels in inputs]
    result = tuple(names[label] for label in output)
    start = time.process_time()
    optimizer = optimizers[preset](parallel=False, cache=False)
    tree = optimizer.search(operands, result, sizes)
    seconds = time.process_time() - start
    return [tuple(pair) for pair in tree.get_ssa_path()], seconds


def tyto_pairs(program, file):
    words = subprocess.run([program, file], check=True, capture_output=True, text=True).stdout.split()
    numbers = list(map(int, words[1:]))
    return list(zip(numbers[::2], numbers[1::2])), float(words[0])


def compare(arguments):
    ratios, times = {p: [] for p in arguments.presets}, {p: [] for p in arguments.presets}
    header = f"{'instance':28} {'operands':>8} {'tyto':>7} {'s':>8}"
    print(header + "".join(f" | {p:>8} {'ratio':>6} {'s':>8}" for p in arguments.presets), flush=True)
    for name, (inputs, output, extents) in instances().items():
        if arguments.only and name not in arguments.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, name)
            write(file, inputs, output, extents)
            pairs, seconds = tyto_pairs(arguments.program, file)
        ours = log10_flops(inputs, output, extents, pairs)
        row = f"{name:28} {len(inputs):8} {ours:7.3f} {seconds:8.3f}"
        for preset in arguments.presets:
            pairs, their_seconds = cotengra_pairs(inputs, output, extents, preset)
            theirs = log10_flops(inputs, output, extents, pairs)
            ratios[preset].append(10 ** (ours - theirs))
            times[preset].append((seconds, their_seconds))
            row += f" | {theirs:8.3f} {ratios[preset][-1]:6.3f} {their_seconds:8.3f}"
        print(row, flush=True)
    return ratios, times


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--presets", nargs="+", default=["auto", "auto-hq"])
    parser.add_argument("--only", nargs="*")
    arguments = parser.parse_args()
    ratios, times = compare(arguments)
    for preset in arguments.presets:
        mean = math.exp(sum(map(math.log, ratios[preset])) / len(ratios[preset]))
        ours, theirs = (sum(column) for column in zip(*times[preset]))
        longest = max(mine / other for mine, other in times[preset])
        print(f"{preset}: geometric mean {mean:.3f}, worst {max(ratios[preset]):.3f}, "
              f"seconds {ours:.2f} against {theirs:.2f} in all, at worst {longest:.2f} of theirs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
