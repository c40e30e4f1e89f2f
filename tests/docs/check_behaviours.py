#!/usr/bin/env python3
"""Every behaviour in docs/reference/behaviours.txt names tests that exist, and behaviours.md shows what it says:
check_behaviours.py SOURCE_FOLDER PROGRAM_FOLDER [--fix]

The form of the table is explained at its top.
"""
import difflib
import pathlib
import re
import subprocess
import sys

GROUP = re.compile(r"== (.+?) \((\d+)(, .+)?\)$")


class Row:
    def __init__(self, group, behaviour, tests, note, place):
        self.group, self.behaviour, self.tests, self.note, self.place = group, behaviour, tests, note, place

    @property
    def is_covered(self):
        return bool(self.tests)


def read(path):
    """Groups as (title, tests in AutoHOOT's suite, remark), and rows in order."""
    groups, rows = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        place = f"{path}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        heading = GROUP.match(line)
        if heading:
            groups.append((heading[1], int(heading[2]), (heading[3] or "").lstrip(", ")))
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) not in (2, 3) or not groups or not all(parts):
            raise SystemExit(f"{place}: a line is 'behaviour | program case | note', below a heading\n  found  {line}")
        if parts[1] == "not yet":
            if len(parts) != 3:
                raise SystemExit(f"{place}: what is not there yet says what will hold it")
            rows.append(Row(groups[-1][0], parts[0], [], parts[2], place))
            continue
        tests = [tuple(test.split(" ")) for test in parts[1].split(", ")]
        if any(len(test) != 2 for test in tests):
            raise SystemExit(f"{place}: a test is a program and a case\n  found  {parts[1]}")
        rows.append(Row(groups[-1][0], parts[0], tests, parts[2] if len(parts) == 3 else "", place))
    return groups, rows


def cases(program):
    """All cases of a test program: 'suite/case', or 'case' outside suites."""
    done = subprocess.run([program, "--list_content"], capture_output=True, text=True, check=True)
    found, suites = set(), []
    for line in (done.stdout + done.stderr).splitlines():
        name = line.strip().rstrip("*")
        depth = (len(line) - len(line.lstrip())) // 4
        suites = [*suites[:depth], name]
        found.add("/".join(suites))
    return found


def missing(rows, folder):
    """Errors for tests that do not exist."""
    known, errors = {}, []
    for row in rows:
        for program, case in row.tests:
            path = folder / f"test_{program}"
            if program not in known:
                known[program] = cases(path) if path.exists() else None
            if known[program] is None:
                errors.append(f"{row.place}: there is no program {path.name}")
            elif case not in known[program]:
                hint = difflib.get_close_matches(case, known[program], 1)
                errors.append(f"{row.place}: {path.name} has no case {case}" + (f"\n  try    {hint[0]}" if hint else ""))
    return errors


def page(groups, rows):
    listed = sum(count for title, count, _ in groups if title != "Known defects")
    behaviours = [row for row in rows if row.group != "Known defects"]
    waiting = sum(not row.is_covered for row in behaviours)
    other = sum(row.is_covered and bool(row.note) for row in behaviours)
    all_defects = all(row.is_covered for row in rows if row.group == "Known defects")
    lines = [
        "# Behaviours of AutoHOOT, and where ours are tested",
        "",
        "<!-- made by tests/docs/check_behaviours.py from behaviours.txt -->",
        "AutoHOOT (Ma, Ye, Solomonik: *AutoHOOT: Automatic High-Order Optimization for Tensors*, PACT 2020) is the system whose ideas tyto starts",
        "from. Its test suite is the floor: this table names, for each behaviour that it tests, the test of ours. A test checks that the cases exist.",
        "",
        f"**{len(behaviours)} behaviours** stand for the {listed} tests that the groups count (variants of one behaviour share a row): "
        f"**{len(behaviours) - waiting} have a test**,",
        f"{other} of these with a remark on what differs by design or is tested elsewhere; **{waiting} are not yet there**. "
        f"The {len(rows) - len(behaviours)} known defects at the end {'all have a test' if all_defects else 'have tests where they name them'}.",
        "Cases are those of the programs `test_...` in the folder `bin` of a build: `test_core_graph --run_test=...`.",
    ]
    number = 0
    for title, count, remark in groups:
        lines += ["", f"## {title}", ""]
        lines += [f"{count} test{'s' * (count != 1)}" + (f", {remark}" if remark else "") + ".", ""]
        lines += ["| | behaviour | test | remark |", "|-:|---|---|---|"]
        for row in (row for row in rows if row.group == title):
            number += 1
            tests = "<br>".join(f"`{program}` `{case}`" for program, case in row.tests) or "**not yet**"
            lines.append(f"| {number} | {row.behaviour} | {tests} | {row.note} |")
    return "\n".join(lines) + "\n"


def main(root, folder, fix):
    groups, rows = read(root / "docs" / "reference" / "behaviours.txt")
    errors = missing(rows, folder)
    path, new = root / "docs" / "reference" / "behaviours.md", page(groups, rows)
    old = path.read_text() if path.exists() else ""
    if fix:
        path.write_text(new)
    elif new != old:
        errors.append("".join(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), "what behaviours.txt says")))
        errors.append(f"to mend it: tests/docs/check_behaviours.py . {folder} --fix")
    print("\n".join(errors) if errors else f"{len(rows)} behaviours")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), "--fix" in sys.argv[3:]))
