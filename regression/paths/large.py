#!/usr/bin/env python3
"""Paths of networks of 10^5 operands: large.py PLAN_PATH

Prints the processor seconds and the memory of plan_path for a chain of matrices, the squared norm of a train of 50 000 cores, and a
random network of operands of order 3. Exit status 1 if one takes more than a minute or 4 GiB.
"""
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

OPERANDS = 100_000
MOST_SECONDS, MOST_KIB = 60, 4 * 2**20


def chain():
    return [2] * (OPERANDS + 1), [0, OPERANDS], [[k, k + 1] for k in range(OPERANDS)]


def train():
    sites = OPERANDS // 2
    bonds, other, site = range(0, sites + 1), range(sites + 1, 2 * sites + 2), range(2 * sites + 2, 3 * sites + 2)
    operands = [labels for k in range(sites) for labels in ([bonds[k], site[k], bonds[k + 1]], [other[k], site[k], other[k + 1]])]
    return [4] * (2 * sites + 2) + [2] * sites, [], operands


def regular():
    """Each operand has three labels of extent 2, each label two operands, at random; a label that would be twice on one is left out."""
    ends = [operand for operand in range(OPERANDS) for _ in range(3)]
    random.Random(7).shuffle(ends)
    operands = [[] for _ in range(OPERANDS)]
    for label, (a, b) in enumerate(zip(ends[::2], ends[1::2])):
        if a != b:
            operands[a].append(label)
            operands[b].append(label)
    return [2] * (len(ends) // 2), [], operands


def measured(program, network):
    extents, output, operands = network
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "network.txt"
        path.write_text("\n".join(" ".join(map(str, row)) for row in [extents, output, *operands]) + "\n")
        seconds = float(subprocess.run([program, path], capture_output=True, text=True, check=True).stdout.split(" ", 1)[0])
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def main(program):
    too_much = False
    for name, network in [("chain", chain()), ("train", train()), ("regular", regular())]:  # memory rises: it is the largest so far
        seconds, kib = measured(program, network)
        too_much = too_much or seconds > MOST_SECONDS or kib > MOST_KIB
        print(f"{name:8} {seconds:6.1f} s {kib / 1024:7.0f} MiB")
    return 1 if too_much else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
