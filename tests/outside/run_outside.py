"""Runs a plugin that was built outside the tree on data of known rank, in the installed host, and checks the result.

usage: run_outside.py HOST ALGORITHM FOLDER
"""
import json
import random
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

RANK = 2
SHAPES = {  # of each input, by algorithm; modes named alike share their factor
    "coupled-factorization": {"X": {"i": 7, "j": 6, "k": 5}, "Y": {"i": 7, "m": 8}},
    "my-algorithm": {"X": {"i": 7, "j": 6}},
}


def write_inputs(folder, shapes):
    """Sums of RANK outer products of random factors, as coordinate text: indices from 1, then the value."""
    generator, factors = random.Random(1), {}
    for name, shape in shapes.items():
        for mode, extent in shape.items():
            factors.setdefault(mode, [[generator.uniform(0.1, 1) for _ in range(RANK)] for _ in range(extent)])
        with open(folder / f"{name}.tns", "w") as file:
            for place in product(*(range(extent) for extent in shape.values())):
                value = 0.0
                for r in range(RANK):
                    term = 1.0
                    for mode, index in zip(shape, place):
                        term *= factors[mode][index][r]
                    value += term
                print(*(index + 1 for index in place), repr(value), file=file)


def main(host, algorithm, folder):
    folder, shapes = Path(folder), SHAPES[algorithm]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_inputs(folder, shapes)
    config = {
        "algorithm": algorithm,
        "data": {name: {"file": str(folder / f"{name}.tns"), "dense": True} for name in shapes},
        "settings": {"rank": RANK},
        "solver": {"max_sweeps": 5000, "tolerance": 1e-12, "seed": 1},
        "output": {"directory": str(folder / "out"), "overwrite": True},
    }
    (folder / "run.yaml").write_text(json.dumps(config, indent=2))  # YAML is a superset of JSON
    done = subprocess.run([host, "run", str(folder / "run.yaml")], text=True, capture_output=True, check=False)
    print(done.stdout, done.stderr, sep="\n")
    assert done.returncode == 0, f"exit status {done.returncode}"
    result = json.loads((folder / "out" / "result.json").read_text())
    assert result["algorithm"] == algorithm, result["algorithm"]
    assert result["status"] == "converged", (result["status"], result["reason"])
    assert 0 <= result["relative_error"] < 1e-4, result["relative_error"]


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
