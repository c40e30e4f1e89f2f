#!/usr/bin/env python3
"""Runs the host on every case in cases/ and compares exit status and message, to the letter.

A case is a folder with run.yaml and message.txt, whose first line is "exit status N" and whose rest is what the host must print
to stderr. command.txt, where present, is the command line in place of "tyto run run.yaml". A case runs in a folder of its own that
also holds the files of inputs.py, data/ with the data sets of the project, and plugins that must be refused (plugins_bad/,
refused/). Paths that differ between machines are written as <build> and <here>, the hash of the public headers as <hash>.

What is refused must leave nothing behind, and `tyto check` must find it with the same words.

  errors_test.py HOST --plugins DIR --bad-plugins DIR --data DIR [--accept] [CASE...]

--accept writes message.txt from what was found: read the difference before you keep it.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import inputs

CASES = pathlib.Path(__file__).resolve().parent / "cases"


def prepare(case, arguments, folder):
    for source in sorted(case.iterdir()):
        if source.is_dir():
            shutil.copytree(source, folder / source.name)
        elif source.name not in ("message.txt", "command.txt"):
            shutil.copy(source, folder / source.name)
    inputs.write_to(folder)
    (folder / "data").symlink_to(arguments.data)
    (folder / "plugins_bad").symlink_to(arguments.bad_plugins)
    (folder / "refused").symlink_to(arguments.plugins)


def names_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def without_places(text, arguments, folder):
    text = text.replace(str(folder), "<here>").replace(str(arguments.host.parent.parent), "<build>")
    return re.sub(r"headers=(?!0{12})[0-9a-f]{12} cxx11abi=\d stl_debug=\d", "headers=<hash>", text)


def run(command, arguments, folder):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TYTO_")} | {"TYTO_CALIBRATION": "avx2"}
    words = [str(arguments.host)] + command
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    return done, f"exit status {done.returncode}\n" + without_places(done.stderr, arguments, folder)


def troubles_of(case, arguments):
    """What is wrong with a case, as lines of text."""
    message = case / "message.txt"
    expected = message.read_text() if message.exists() else ""
    own = case / "command.txt"
    command = shlex.split(own.read_text()) if own.exists() else ["run", "run.yaml"]
    with tempfile.TemporaryDirectory(prefix="tyto-errors-") as name:
        folder = pathlib.Path(name).resolve()
        prepare(case, arguments, folder)
        before = names_in(folder)
        done, found = run(command, arguments, folder)
        troubles = []
        if arguments.accept and found != expected:
            message.write_text(found)
            expected = found
        if found != expected:
            troubles += difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", lineterm="")
        if done.returncode != 2:
            return troubles
        if done.stdout:
            troubles.append(f"a refused run prints to stdout: {done.stdout!r}")
        if names_in(folder) != before:
            troubles.append(f"a refused run leaves behind: {sorted(set(names_in(folder)) ^ set(before))}")
        if command[0] == "run":
            _, by_check = run(["check"] + command[1:], arguments, folder)
            if by_check != found:
                troubles += ["`tyto check` says something else:", by_check]
    return troubles


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host", type=lambda p: pathlib.Path(p).resolve())
    for folder in ("--plugins", "--bad-plugins", "--data"):
        parser.add_argument(folder, type=lambda p: pathlib.Path(p).resolve(), required=True)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    cases = [CASES / name for name in arguments.cases] or sorted(path.parent for path in CASES.glob("*/run.yaml"))
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for case, troubles in zip(cases, pool.map(lambda case: troubles_of(case, arguments), cases)):
            if troubles:
                failures += 1
                print("\n".join([f"--- {case.name}"] + troubles + [""]))
    print(f"{len(cases) - failures} of {len(cases)} cases are right")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
