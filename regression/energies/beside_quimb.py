#!/usr/bin/env python3
"""DMRG of tyto and of quimb on the same operators: energies and processor time, in turn, on one thread: beside_quimb.py BUILD [--rounds N]

BUILD is a release build of this repository. quimb is installed from PyPI into the virtual environment of the benchmarks, outside the
repository. Nothing else should run on the machine.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

_HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE.parent / "benchmarks"))
import environment  # noqa: E402  (beside this folder)

_ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}

# A chain: sweeps forth and back with these bonds. An operator: random and symmetric, the same file for both.
_CASES = [
    {"name": "Heisenberg, 50 sites", "chain": 50, "bonds": [64, 64, 128, 128]},
    {"name": "random operator, bonds 10", "sites": 6, "states": 10, "rank": 20, "bonds": [10] * 4},
    {"name": "random operator, bonds 20", "sites": 6, "states": 10, "rank": 20, "bonds": [20] * 4},
    {"name": "random operator, bonds 40", "sites": 6, "states": 10, "rank": 20, "bonds": [40] * 4},
]

_OPERATOR = """
import sys
import numpy as np
folder, sites, states, rank = sys.argv[1], *map(int, sys.argv[2:])
random = np.random.default_rng(7)
for site in range(sites):
    w = random.standard_normal((1 if site == 0 else rank, 1 if site == sites - 1 else rank, states, states))
    np.save(f"{folder}/H[{site}].npy", (w + w.swapaxes(2, 3)) / np.sqrt(8 * rank * states))
"""

_QUIMB = """
import json, sys, time
import numpy as np
import quimb.tensor as qtn
case = json.loads(sys.argv[1])
def operator():
    if "chain" in case:
        return qtn.MPO_ham_heis(case["chain"])
    arrays = [np.load(f"{case['folder']}/H[{k}].npy") for k in range(case["sites"])]
    return qtn.MatrixProductOperator([arrays[0][0], *arrays[1:-1], arrays[-1][:, 0]], shape="lrud")
bonds = [bond for bond in case["bonds"] for _ in range(2)]
qtn.DMRG2(qtn.MPO_ham_heis(6), bond_dims=[4], cutoffs=1e-12).solve(max_sweeps=2, tol=0)  # compiles what it compiles
solver = qtn.DMRG2(operator(), bond_dims=bonds, cutoffs=1e-12)
begin = time.process_time()
solver.solve(max_sweeps=len(bonds), tol=0)
print(json.dumps({"seconds": time.process_time() - begin, "energy": float(np.real(solver.energy))}))
"""


def run_of(case, folder):
    settings = {"maxdim": case["bonds"]}
    run = {"algorithm": "dmrg", "settings": settings, "solver": {"max_sweeps": len(case["bonds"]), "tolerance": 0},
           "output": {"directory": str(folder / "out"), "overwrite": True, "report": False}}
    if "chain" in case:
        settings["model"] = {"name": "heisenberg", "sites": case["chain"]}
    else:
        run["data"] = {"H": {"files": f"{case['folder']}/H[*].npy"}}
    return run


def by_tyto(program, case, folder):
    config = folder / "run.json"
    config.write_text(json.dumps(run_of(case, folder)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "run", config, "--quiet"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **_ONE_THREAD})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": seconds, "energy": json.loads((folder / "out" / "result.json").read_text())["objective"]}


def by_quimb(python, case):
    done = subprocess.run([python, "-W", "ignore", "-c", _QUIMB, json.dumps(case)], check=True, capture_output=True, text=True,
                          env={**os.environ, **_ONE_THREAD})
    return json.loads(done.stdout.splitlines()[-1])


def measured(case, program, python, rounds):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if "sites" in case:
            sizes = [str(case[key]) for key in ("sites", "states", "rank")]
            subprocess.run([python, "-c", _OPERATOR, name, *sizes], check=True)
            case = {**case, "folder": name}
        turns = [(by_tyto(program, case, folder), by_quimb(python, case)) for _ in range(rounds)]
    seconds = [statistics.median(turn[who]["seconds"] for turn in turns) for who in range(2)]
    return seconds, [turns[-1][who]["energy"] for who in range(2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--environment", type=pathlib.Path, default=environment.default_folder() / "peers")
    options = parser.parse_args()
    peers = environment.Environment(options.environment)
    found, why = peers.peers(["quimb"])
    if not found:
        sys.exit(f"quimb is not there: {why['quimb']}")
    print("| | energy of tyto | of quimb | seconds of tyto | of quimb | ratio |\n|---|---|---|---|---|---|")
    for case in _CASES:
        (own, other), energies = measured(case, options.build.resolve() / "bin" / "tyto", peers.python, options.rounds)
        print(f"| {case['name']} | {energies[0]:.11f} | {energies[1]:.11f} | {own:.2f} | {other:.2f} | {other / own:.1f} |", flush=True)


if __name__ == "__main__":
    main()
