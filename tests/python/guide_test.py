#!/usr/bin/env python3
"""The blocks of docs/guide/python.md run one after the other, and print what stands below them."""
import contextlib
import io
import linecache
import re
import unittest

from here import HERE, FolderTest

BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)


class Guide(FolderTest):
    def test_every_block_prints_what_the_guide_says(self):
        blocks, names = BLOCK.findall((HERE.source / "docs/guide/python.md").read_text()), {}
        self.assertGreater(len(blocks), 5)
        for code, expected in blocks:
            linecache.cache["guide.py"] = (len(code), None, code.splitlines(True), "guide.py")  # where messages look for lines
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(code, "guide.py", "exec"), names)
            self.assertEqual(printed.getvalue(), expected)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
