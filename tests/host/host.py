"""What the tests of the host share: where things are, and a fresh folder with a run file for each test."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


def path(text):
    return pathlib.Path(text).resolve()


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=path, required=True)
    parser.add_argument("--source", type=path, required=True)
    parser.add_argument("--build", type=path, required=True)
    parser.add_argument("--mpirun", default="")
    parser.add_argument("--is-fast", action="store_true", help="times are those of a release build")
    arguments, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    return arguments


HERE = parsed()
AMINOACID = """\
algorithm: cp-als
data: {X: {file: data/aminoacid.txt}}
settings: {rank: 3}
output: {directory: out}
"""


class HostTest(unittest.TestCase):
    """Runs the host in self.folder, which holds run.yaml and data/."""

    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="tyto-host-")
        self.addCleanup(holder.cleanup)
        self.folder = path(holder.name)
        (self.folder / "data").symlink_to(HERE.source / "share" / "data")
        self.write("run.yaml", AMINOACID)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def environment(self, more):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TYTO_")}
        return {**kept, "TYTO_CALIBRATION": "avx2", **more}  # not what this machine has measured

    def tyto(self, *words, folder=None, environment={}, **more):
        """The finished process; its stdout and stderr are texts."""
        more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.run([str(HERE.host), *words], cwd=folder or self.folder, env=self.environment(environment), text=True, timeout=100, **more)

    def begun(self, *words, **more):
        """A process that still runs; killed at the end of the test."""
        process = subprocess.Popen([str(HERE.host), *words], cwd=self.folder, env=self.environment({}), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def names(self, folder="."):
        return sorted(str(p.relative_to(self.folder / folder)) for p in (self.folder / folder).rglob("*"))
