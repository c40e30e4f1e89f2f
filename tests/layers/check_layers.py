#!/usr/bin/env python3
"""Checks the includes of a source tree against its core/layers.yaml; see there for the rules.

usage: check_layers.py TREE        prints one line for each violation; exit status 1 if there is any
"""
import re
import sys
from pathlib import Path

SOURCES = {".hpp", ".cpp", ".h", ".c", ".cu", ".cuh"}
ENTRY = re.compile(r"([\w/]+):\s*\[([^\]]*)\]\s*(#.*)?")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Layers:
    """The declared edges, and the pairs that must stay unreachable."""

    def __init__(self, text):
        self.edges, self.never, self.faults = {}, [], []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            entry = ENTRY.fullmatch(line.strip())
            if entry is None:
                self.faults.append(f"core/layers.yaml:{number}: expected 'folder: [folder, ...]'")
                continue
            name, items = entry[1], [item.strip() for item in entry[2].split(",") if item.strip()]
            if name == "never":
                self.never = [tuple(item.split("->")) for item in items]
            elif name in self.edges:
                self.faults.append(f"core/layers.yaml:{number}: '{name}' is declared twice")
            else:
                self.edges[name] = items

    def reachable(self, start):
        """All folders on paths from `start`, each with the path that leads to it."""
        paths, waiting = {}, [(start,)]
        while waiting:
            path = waiting.pop(0)
            for after in self.edges.get(path[-1], []):
                if after not in paths:
                    paths[after] = path + (after,)
                    waiting.append(paths[after])
        return paths

    def own_faults(self):
        """What is wrong with the declaration itself."""
        yield from self.faults
        for name, targets in self.edges.items():
            for target in targets:
                if target not in self.edges:
                    yield f"core/layers.yaml: '{name}' may include '{target}', which is not declared"
            cycle = self.reachable(name).get(name)
            if cycle:
                yield f"core/layers.yaml: cycle {' -> '.join(cycle)}"
        for start, target in self.never:
            path = self.reachable(start).get(target)
            if path:
                yield f"core/layers.yaml: '{start}' must never reach '{target}', but does: {' -> '.join(path)}"

    def folder(self, directory):
        """The declared folder that a path below core/ belongs to: the longest one; None if there is none."""
        parts = directory.split("/")
        names = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
        return next((name for name in names if name in self.edges), None)


def includes(file):
    """(line number, is quoted, path) of each include."""
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found[1] == '"', found[2]


def sources(folder):
    return sorted(file for file in folder.rglob("*") if file.suffix in SOURCES)


def directory(path):
    return path.rpartition("/")[0]


def core_faults(tree, layers):
    core = tree / "core"
    roots = {name.split("/")[0] for name in layers.edges} | {entry.name for entry in core.iterdir() if entry.is_dir()}
    for file in sources(core):
        where, below = file.relative_to(tree).as_posix(), file.relative_to(core).as_posix()
        here = layers.folder(directory(below))
        if here is None:
            yield f"{where}: its folder is not declared in core/layers.yaml"
            continue
        own = directory(below) + "/" + file.stem + ".hpp"
        found = list(includes(file))
        if file.suffix != ".hpp" and (core / own).exists() and (not found or found[0][2] != own):
            yield f'{where}: its own header "{own}" comes first'
        for number, is_quoted, path in found:
            fault = include_fault(layers, roots, here, is_quoted, path)
            if fault:
                yield f"{where}:{number}: {fault}"


def include_fault(layers, roots, here, is_quoted, path):
    root = path.split("/")[0]
    if root in (".", ".."):
        return f'"{path}" is relative; write "folder/file.hpp" from core/'
    if root == "tyto":
        there = "api"
    elif root in roots and "/" in path:
        there = layers.folder(directory(path))
    elif is_quoted:
        return f'"{path}" is in no folder of core/; quotes are for those, <> for everything else'
    else:
        return None
    if there == here or there in layers.edges[here]:
        return None
    return f"'{here}' may not include '{there or directory(path)}'"


def outside_faults(tree, part):
    """apps/ and plugins/ see the public headers, their own files, and nothing of core/."""
    roots = {entry.name for entry in (tree / "core").iterdir() if entry.is_dir()}
    for file in sources(tree / part):
        for number, is_quoted, path in includes(file):
            where, root = f"{file.relative_to(tree).as_posix()}:{number}", path.split("/")[0]
            if root in (".", ".."):
                yield f'{where}: "{path}" is relative'
            elif root in roots and "/" in path:
                yield f"{where}: '{part}' may include public headers (tyto/...) only, not '{path}'"


def faults(tree):
    layers = Layers((tree / "core" / "layers.yaml").read_text())
    yield from layers.own_faults()
    yield from core_faults(tree, layers)
    for part in ("apps", "plugins"):
        yield from outside_faults(tree, part)


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    found = list(faults(Path(arguments[1])))
    print("\n".join(found) if found else "every include is allowed by core/layers.yaml")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
