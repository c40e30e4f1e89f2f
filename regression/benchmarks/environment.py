"""The virtual environment of the peers: made and filled from PyPI, outside the repository."""
import json
import os
import pathlib
import subprocess
import sys

# Programs of peers/ and the packages that each needs. Where one does not install, the comparison goes on without it.
PEERS = {
    "numpy": ["numpy"],
    "blas": ["numpy"],
    "opt_einsum": ["numpy", "opt_einsum"],
    "tensorly": ["tensorly"],
    "jax": ["jax"],
    "cotengra": ["numpy", "cotengra", "autoray"],
    "quimb": ["quimb"],
    "pyttb": ["pyttb"],
    "pygenten": ["pyttb", "pygenten"],
}
_FOR_PLOTS = ["matplotlib"]


def default_folder():
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "tyto" / "benchmarks"


class Environment:
    def __init__(self, folder):
        self.python = folder / "bin" / "python"
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        self.versions = self._installed()

    def _pip(self, *arguments):
        return subprocess.run([self.python, "-m", "pip", *arguments], capture_output=True, text=True, check=False)

    def _installed(self):
        listed = json.loads(self._pip("list", "--format", "json", "--disable-pip-version-check").stdout)
        return {package["name"].replace("-", "_").lower(): package["version"] for package in listed}

    def _why_missing(self, packages):
        """Installs what is not there; empty, or the last words of pip."""
        missing = [package for package in packages if package not in self.versions]
        if not missing:
            return ""
        said = self._pip("install", "--quiet", "--disable-pip-version-check", *missing)
        self.versions = self._installed()
        lines = [line for line in said.stderr.splitlines() if line.strip()]
        return "" if said.returncode == 0 else lines[-1] if lines else "pip failed"

    def peers(self, wanted):
        """(those that are there, why others are not)"""
        why = {name: self._why_missing(PEERS[name]) for name in wanted}
        return [name for name in wanted if not why[name]], {name: text for name, text in why.items() if text}

    def has_plots(self):
        return not self._why_missing(_FOR_PLOTS)
