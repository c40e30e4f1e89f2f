"""What the tests of share/python/tyto.py share: the module itself, where things are, and a fresh current folder for each test."""
import argparse
import os
import pathlib
import sys
import tempfile
import unittest


def path(text):
    return pathlib.Path(text).resolve()


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=path, required=True)
    parser.add_argument("--source", type=path, required=True)
    parser.add_argument("--has-petsc", action="store_true")
    arguments, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    return arguments


HERE = parsed()
os.environ["TYTO"] = str(HERE.host)
sys.path.insert(0, str(HERE.source / "share/python"))


class FolderTest(unittest.TestCase):
    """The current folder is an empty one, and temporary files are made in another one, which is looked at."""

    maxDiff = None

    def setUp(self):
        before = pathlib.Path.cwd(), tempfile.tempdir
        holder = tempfile.TemporaryDirectory(prefix="tyto-python-")
        self.addCleanup(holder.cleanup)
        self.folder, self.temporary = path(holder.name) / "here", path(holder.name) / "temporary"
        for folder in (self.folder, self.temporary):
            folder.mkdir()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before[0])
        tempfile.tempdir = str(self.temporary)
        self.addCleanup(setattr, tempfile, "tempdir", before[1])

    def raised(self, call, *words, **more):
        """The text of the tyto.Error that a call raises."""
        import tyto

        with self.assertRaises(tyto.Error) as context:
            call(*words, **more)
        return str(context.exception)
