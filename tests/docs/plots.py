"""Plots in the documentation are drawn by the run that is named above them.

After a line <!-- plots/NAME.svg of: COMMAND --> an image ![...](FILE) is that plot of the run COMMAND: the same elements and texts, and
numbers that are near. Digits of a run may differ in the last places from one processor to the next, so lines are compared to a
thousandth of the height of the chart and other places to a pixel. A run that needs PETSc is left out where PETSc is not built in.
"""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

MARK = re.compile(r"<!-- (plots/\S+\.svg) of: (.+?) -->\n!\[[^\]]*\]\((\S+\.svg)\)")
NUMBER = re.compile(r"(?<![\w#.-])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")  # no part of a name or a colour


def drawn(plot, command, root, programs):
    """The text of the plot that the command draws; None where it takes a backend that is not there."""
    first, *rest = shlex.split(command)
    environment = {**os.environ, "TYTO_PLUGIN_PATH": "", "TYTO_CALIBRATION": "avx2"}
    with tempfile.TemporaryDirectory(prefix="tyto-docs-") as folder:
        settings = {"output.directory": folder, "output.plots": "true", "output.overwrite": "true", "output.report": "false"}
        words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run([programs[first], *rest, "--quiet", *words], cwd=root, env=environment, capture_output=True, text=True, check=False)
        if done.returncode == 2 and "petsc" in done.stderr:
            return None
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return pathlib.Path(folder, plot).read_text()


def difference(old, new):
    """The first line that differs by more than the drawing shows, or None."""
    old_lines, new_lines = old.splitlines(), new.splitlines()
    if len(old_lines) != len(new_lines):
        return f"{len(old_lines)} lines are now {len(new_lines)}"
    for before, after in zip(old_lines, new_lines):
        places, other_places = before.partition(">"), after.partition(">")  # attributes, and what is written
        if NUMBER.sub("#", places[0]) != NUMBER.sub("#", other_places[0]) or places[2] != other_places[2]:
            return f"{before[:160]}\nis now\n{after[:160]}"
        is_line = before.startswith("<polyline")
        for a, b in zip(NUMBER.findall(places[0]), NUMBER.findall(other_places[0])):
            if abs(float(a) - float(b)) > (1e-3 if is_line else 1):
                return f"{a} is now {b} in\n{after[:160]}"
    return None


def check(path, text, root, programs, fix):
    """How many plots a page has, and what is wrong with them, a text each."""
    troubles, marks = [], MARK.findall(text)
    for plot, command, file in marks:
        kept, new = path.parent / file, drawn(plot, command, root, programs)
        if new is None:
            print(f"not compared, since PETSc is not built in: {kept}")
            continue
        trouble = difference(kept.read_text(), new) if kept.exists() else "it is not there"
        if trouble and fix:
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(new)
        elif trouble:
            troubles.append(f"{kept}, {plot} of {command}: {trouble}")
    return len(marks), troubles
