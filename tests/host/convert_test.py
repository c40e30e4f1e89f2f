#!/usr/bin/env python3
"""`tyto convert`: what files and results stand for, as one array."""
import array
import math
import pathlib
import re
import unittest

from host import HostTest

TUCKER = """\
algorithm: tucker-hooi
data: {X: {file: data/aminoacid.txt}}
settings: {ranks: [3, 4, 5]}
output: {directory: out}
"""


def numbers(path):
    """Shape and elements of a .npy file of doubles in C order."""
    content = pathlib.Path(path).read_bytes()
    header = content[10 : 10 + int.from_bytes(content[8:10], "little")].decode()
    assert "'<f8'" in header and "False" in header, header
    values = array.array("d")
    values.frombytes(content[10 + len(header) :])
    return tuple(int(n) for n in re.findall(r"\d+", header.split("shape")[1])), values


class Convert(HostTest):
    def converted(self, source, out="x.npy"):
        done = self.tyto("convert", source, out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def relative_error(self, reported):
        data, (shape, model) = numbers(self.folder / "data.npy")[1], numbers(self.folder / "x.npy")
        self.assertEqual(shape, (5, 201, 61))
        self.assertEqual(len(model), len(data))
        error = math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(data, model)) / math.fsum(a * a for a in data))
        self.assertAlmostEqual(error, reported, delta=1e-9)

    def test_results_become_the_tensor_that_they_are_near_to(self):
        self.converted("data/aminoacid.txt", "data.npy")
        for text in (TUCKER, (self.folder / "run.yaml").read_text()):
            self.write("run.yaml", text)
            self.assertEqual(self.tyto("run", "run.yaml", "--quiet", "--set", "output.overwrite=true").returncode, 0)
            self.assertEqual(self.converted("out"), "x.npy   5 x 201 x 61, f64\n")
            reported = re.search(r'"relative_error": ([0-9.e-]+)', (self.folder / "out/result.json").read_text())[1]
            self.relative_error(float(reported))

    def test_what_tucker_saves_is_in_the_result(self):
        self.write("run.yaml", TUCKER)
        self.tyto("run", "run.yaml", "--quiet")
        ratio = re.search(r'"compression_ratio": ([0-9.e-]+)', (self.folder / "out/result.json").read_text())[1]
        self.assertAlmostEqual(float(ratio), 5 * 201 * 61 / (3 * 4 * 5 + 5 * 3 + 201 * 4 + 61 * 5), places=10)
        self.assertIn("Compression", (self.folder / "out/report.html").read_text())

    def test_lists_of_coordinates_become_dense(self):
        self.write("sparse.tns", "1 1 2.5\n2 3 -1\n")
        self.assertEqual(self.converted("sparse.tns"), "x.npy   2 x 3, f64\n")
        self.assertEqual(list(numbers(self.folder / "x.npy")[1]), [2.5, 0, 0, 0, 0, -1])

    def test_other_folders_and_other_endings_are_refused(self):
        for words, message in (
            (("data", "x.npy"), "data: the folder holds no result that stands for a tensor\n"
             "  expected  ktensor.txt, or result.json of a Tucker decomposition\n  found     neither of them\n"),
            (("data/aminoacid.txt", "x.csv"), "command line: x.csv is no format that tyto writes\n"
             "  expected  a name that ends in .npy\n  found     .csv\n"),
            (("data/aminoacid.txt",), "command line: 'tyto convert' does not say which files\n"
             "  expected  tyto convert IN OUT.npy\n  try       tyto --help\n"),
            (("a", "b", "c"), "command line: 'tyto convert' takes IN OUT.npy\n"
             "  expected  tyto convert IN OUT.npy\n  found     c\n  try       tyto --help\n"),
        ):
            done = self.tyto("convert", *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", message))
            self.assertEqual(self.names(), ["data", "run.yaml"])


if __name__ == "__main__":
    unittest.main()
