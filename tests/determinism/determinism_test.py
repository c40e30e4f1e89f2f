#!/usr/bin/env python3
"""Several processes optimize the same graphs to the same texts, wherever their memory lies: determinism_test.py PROGRAM"""
import difflib
import subprocess
import sys

GRAPHS = "300"
PADDINGS = ["0", "1", "977", "5000"]


def main(program):
    runs = [subprocess.run([program, GRAPHS, padding], capture_output=True, text=True, check=True) for padding in PADDINGS]
    addresses = {run.stderr.splitlines()[0] for run in runs}
    if len(addresses) < 2:
        print("the processes had their memory at one place, which shows nothing")
        return 1
    for padding, run in zip(PADDINGS, runs):
        if run.stdout != runs[0].stdout:
            sys.stdout.writelines(list(difflib.unified_diff(runs[0].stdout.splitlines(True), run.stdout.splitlines(True),
                                                            "first process", f"padding {padding}"))[:60])
            return 1
    print(f"{GRAPHS} graphs, {len(runs)} processes, {len(addresses)} places, {len(runs[0].stdout)} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
