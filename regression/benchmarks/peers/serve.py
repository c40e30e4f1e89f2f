"""Times kernels of one peer on request, as engine/main.cpp does for tyto: `serve.py PEER`; the protocol is described there."""
import importlib
import json
import os
import sys
import time
import traceback

import problems
from kernels import Kernel, SweepKernel

SHORTEST_SAMPLE = 2e-3  # seconds
LONGEST_SAMPLED, FEWEST_SAMPLES = 1, 3  # seconds: what takes less is sampled so many times


def prepared(peer, words):
    family, *rest = words
    arguments = dict(word.split("=", 1) for word in rest)
    if family not in peer.KERNELS:
        raise NotImplementedError("has no such kernel")
    made = peer.KERNELS[family](problems.problem(family, arguments))
    if isinstance(made, Kernel):
        return made
    return (SweepKernel if family.endswith("sweep") else Kernel)(made)


def measured(kernel, seconds):
    """As engine/main.cpp has it; a first execution that takes all of the time is the only one."""
    wall = time.perf_counter()
    once = max(kernel.seconds(1), 1e-9)
    if once >= max(seconds, LONGEST_SAMPLED):
        return {"seconds": [once], "threads": once / (time.perf_counter() - wall)}
    repetitions = 1 if once >= SHORTEST_SAMPLE else int(SHORTEST_SAMPLE / once) + 1
    samples, spent, start = [], 0.0, time.perf_counter()
    while spent < seconds or len(samples) < FEWEST_SAMPLES:
        samples.append(kernel.seconds(repetitions))
        spent += max(samples[-1], 1e-6)
        samples[-1] /= repetitions
    return {"seconds": samples, "threads": spent / (time.perf_counter() - start)}


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is not an answer
    peer = importlib.import_module(f"{sys.argv[1]}_peer")
    kernel = None
    for line in sys.stdin:
        verb, *words = line.split()
        try:
            if verb == "measure":
                said = measured(kernel, float(words[0]))
            else:
                kernel = None  # its memory; and what cannot be prepared leaves nothing to measure
                said = {}
            if verb == "prepare":
                kernel = prepared(peer, words)
                said = kernel.digest()
        except NotImplementedError as error:
            said = {"absent": str(error)}
        except Exception as error:  # whatever a library throws: the comparison goes on without it
            traceback.print_exc()
            said = {"absent": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), file=answers, flush=True)
    answers.flush()
    os._exit(0)  # some libraries abort while the interpreter ends


if __name__ == "__main__":
    main()
