#!/usr/bin/env python3
"""All C++ sources are as .clang-format says. check_format.py SOURCE_FOLDER [--fix]

Other versions of clang-format lay out some code differently, so this one version decides; without it the test is skipped (status 77).
"""
import pathlib
import re
import shutil
import subprocess
import sys

VERSION = "14"


def program():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path:
            said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if re.search(rf"version {VERSION}\.", said):
                return path
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    path = program()
    if not path:
        print(f"skipped: clang-format {VERSION} is not here (Debian: clang-format)")
        return 77
    files = sorted(str(file) for part in ("core", "apps", "plugins", "tests") for end in ("*.cpp", "*.hpp") for file in (root / part).rglob(end))
    assert files, f"no sources in {root}"
    arguments = ["-i"] if "--fix" in sys.argv[2:] else ["--dry-run", "-Werror", "--ferror-limit=1"]
    status = subprocess.run([path, *arguments, *files], check=False).returncode
    if status:
        print("\nto mend them all: tests/format/check_format.py . --fix")
    return status


if __name__ == "__main__":
    sys.exit(main())
