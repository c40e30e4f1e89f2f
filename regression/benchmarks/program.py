"""A program that times kernels on request, as a process: engine/main.cpp or peers/serve.py, whose protocol is described in the former."""
import json
import os
import select
import subprocess

# One thread for every library that anybody here uses. Some systems set the first two of those left out for old versions of
# OpenBLAS; they slow a new one.
_ONE_THREAD = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "NUMBA_NUM_THREADS")
} | {"OMP_PROC_BIND": "false"}
_LEFT_OUT = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONPATH")


_PATIENCE = 600  # seconds of wall time for one answer


class Program:
    """Starts when it is first asked, and again after it has ended."""

    def __init__(self, name, command):
        self.name, self._command, self._process = name, command, None

    def _start(self):
        environment = {key: value for key, value in os.environ.items() if key not in _LEFT_OUT} | _ONE_THREAD
        self._process = subprocess.Popen(
            self._command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, request):
        """The answer as a dictionary; {"absent": why} also where the process ends, as it may for lack of memory, or takes too long."""
        if self._process is None:
            self._start()
        try:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
            if not select.select([self._process.stdout], [], [], _PATIENCE)[0]:
                self._process.kill()
                self._process.wait()
                self._process = None
                return {"absent": f"it took longer than {_PATIENCE} s"}
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return json.loads(line)
        status, self._process = self._process.wait(), None
        return {"absent": f"the program ended with status {status}"}

    def close(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
