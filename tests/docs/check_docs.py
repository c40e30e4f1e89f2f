#!/usr/bin/env python3
"""Texts and plots in the documentation that a program makes are what it makes: check_docs.py SOURCE_FOLDER TYTO FLOW [--fix]

A fenced block after a line <!-- from: COMMAND --> holds the output of COMMAND, run in the source folder. Its first word is tyto or flow;
`case NAME` stands for the error of a test, tests/errors/cases/NAME. Plots: see plots.py.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys

import plots

BLOCK = re.compile(r"(<!-- from: (.+?) -->\n```\w*\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def output(command, root, programs):
    first, *rest = shlex.split(command)
    if first == "case":  # all but the line about the exit status
        return (root / "tests" / "errors" / "cases" / rest[0] / "message.txt").read_text().split("\n", 1)[1].rstrip("\n") + "\n"
    environment = {**os.environ, "TYTO_PLUGIN_PATH": "", "TYTO_CALIBRATION": "avx2"}
    done = subprocess.run([programs[first], *rest], cwd=root, env=environment, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).rstrip("\n") + "\n"


def main(root, tyto, flow, fix):
    programs, blocks, drawn, wrong = {"tyto": tyto, "flow": flow}, 0, 0, 0
    for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        text = path.read_text()

        def mended(match):
            nonlocal blocks, wrong
            blocks += 1
            new = output(match[2], root, programs)
            if new != match[3]:
                wrong += 1
                sys.stdout.writelines(difflib.unified_diff(match[3].splitlines(True), new.splitlines(True), str(path), match[2]))
            return match[1] + new + match[4]

        new_text = BLOCK.sub(mended, text)
        if fix and new_text != text:
            path.write_text(new_text)
        count, troubles = plots.check(path, text, root, programs, fix)
        drawn += count
        wrong += len(troubles)
        print("".join(trouble + "\n" for trouble in troubles), end="")
    assert blocks > 0 and drawn > 0, "no block or no plot says where it is from"
    if wrong and not fix:
        print(f"\nto mend them: tests/docs/check_docs.py . {tyto} {flow} --fix")
    return 1 if wrong and not fix else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], "--fix" in sys.argv[4:]))
