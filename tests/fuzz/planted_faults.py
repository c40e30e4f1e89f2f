"""Plants the faults of faults.txt, one at a time, and sees whether `fuzz` finds each of them in its ten seconds.

  planted_faults.py SOURCE BUILD [--only TEXT]

Each fault is one changed source file, compiled and linked into a copy of the library; the sources stay as they are. Exit status 1 if a
fault is not found, or if the text that it changes is not there once. Takes some ten minutes: not part of the test run.
"""
import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

SECONDS = "10"


def faults(text):
    """Blocks of (name, file, old text, new text)."""
    for block in text.split("\n== ")[1:]:
        lines = block.rstrip("\n").split("\n")
        old = "\n".join(line[2:] for line in lines[2:] if line.startswith("- "))
        new = "\n".join(line[2:] for line in lines[2:] if line.startswith("+ "))
        yield lines[0], lines[1], old, new


def command_of(build, target):
    """The command that makes a target, without those that it depends on."""
    return subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True, text=True, check=True).stdout.split("\n")[-2]


def object_of(build, source):
    targets = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True, check=True).stdout
    name = pathlib.PurePath(source)
    ending = f"/{name.name}.o"
    found = [line.split(":")[0] for line in targets.split("\n")
             if line.split(":")[0].endswith(ending) and line.startswith(str(name.parent) + "/CMakeFiles/")]
    if len(found) != 1:
        sys.exit(f"{source}: {len(found)} object files")
    return found[0]


def planted(source, build, library, folder, name, file, old, new):
    """The library with the fault in it, in `folder`; None, and a word of why, if it cannot be made."""
    text = (source / file).read_text()
    if text.count(old) != 1:
        return f"the text is there {text.count(old)} times: {old}"
    faulty = folder / pathlib.PurePath(file).name
    faulty.write_text(text.replace(old, new))
    made = object_of(build, file)
    changed = folder / "faulty.o"
    compile_it = command_of(build, made).replace(str(source / file), str(faulty)).replace(f"-o {made}", f"-o {changed}")
    compile_it = compile_it.replace(" -Werror", "").replace("/usr/bin/ccache ", "") + f" -I{(source / file).parent}"
    link_it = command_of(build, library).replace(made, str(changed)).replace(f"-o {library}", f"-o {folder / 'libtyto.so.0'}")
    for command in (compile_it, link_it.split("&&")[1] if "&&" in link_it else link_it):
        done = subprocess.run(shlex.split(command), cwd=build, capture_output=True, text=True)
        if done.returncode != 0:
            return done.stderr.strip().split("\n")[0]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    source, build = arguments.source.resolve(), arguments.build.resolve()
    library = next(line.split(":")[0] for line in subprocess.run(
        ["ninja", "-C", build, "-t", "targets", "all"], capture_output=True, text=True, check=True).stdout.split("\n")
        if line.startswith("lib/libtyto.so.0."))
    missed = []
    count = 0
    for name, file, old, new in faults((source / "tests/fuzz/faults.txt").read_text()):
        if arguments.only not in name:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as folder:
            trouble = planted(source, build, library, pathlib.Path(folder), name, file, old, new)
            if trouble:
                missed.append(name)
                print(f"{name}: {trouble}", flush=True)
                continue
            found = subprocess.run([build / "bin/fuzz", SECONDS, "1"], capture_output=True, text=True,
                                   env=dict(os.environ, LD_LIBRARY_PATH=folder))
        lines = found.stdout.split("\n")
        if found.returncode in (0, 2):
            missed.append(name)
            print(f"{name}: NOT FOUND; {lines[-2] if len(lines) > 1 else ''}", flush=True)
        else:
            print(f"{name}: {lines[0][:100]}", flush=True)
    print(f"{count - len(missed)} of {count} faults found")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
