"""Every plugin in a folder has fewer than 40 lines, not counting blank ones and comments."""
import pathlib
import sys

MOST = 39


def code_lines(text):
    lines = (line.strip() for line in text.splitlines())
    return sum(1 for line in lines if line and not line.startswith("//"))


def main(folder):
    counts = {path.name: code_lines(path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.cpp"))}
    assert counts, f"no plugins in {folder}"
    too_long = [f"{name} has {lines} lines of code, at most {MOST} are allowed" for name, lines in counts.items() if lines > MOST]
    assert not too_long, "\n".join(too_long)


assert code_lines("// why\n\nint a;  // that\n  /// more\nint b;\n") == 2
main(sys.argv[1])
