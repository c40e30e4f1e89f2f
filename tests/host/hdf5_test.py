#!/usr/bin/env python3
"""Data, results and starts in files of HDF5, those of h5py among them, and a tyto that was built without HDF5."""
import importlib.util
import json
import pathlib
import shutil
import subprocess
import unittest

from host import HERE, HostTest

MODULE = HERE.build / "lib/tyto/backends/hdf5.so"
DEBIAN_PYTHON = "/usr/bin/python3"  # for which Debian's h5py is, whatever Python runs this


def python_with_h5py():
    if importlib.util.find_spec("h5py"):
        return "python3"
    probe = pathlib.Path(DEBIAN_PYTHON).exists() and subprocess.run([DEBIAN_PYTHON, "-c", "import h5py"], capture_output=True)
    return DEBIAN_PYTHON if probe and probe.returncode == 0 else None


@unittest.skipUnless(MODULE.exists(), "built without HDF5")
class Hdf5(HostTest):
    def done(self, *words):
        done = self.tyto(*words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def result(self, folder):
        return json.loads((self.folder / folder / "result.json").read_text())

    def bytes_of(self, dataset):
        self.done("convert", dataset, "x.npy")
        return (self.folder / "x.npy").read_bytes()

    def test_unknowns_are_written_to_one_file(self):
        self.done("run", "run.yaml", "--quiet", "--set", "output.formats=[npy, hdf5]", "--set", "solver.max_sweeps=5")
        for n in range(3):
            self.assertEqual(self.bytes_of(f"out/unknowns.h5:/A_{n}"), (self.folder / f"out/unknowns/A_{n}.npy").read_bytes())
        self.assertEqual([u["file"] for u in self.result("out")["unknowns"]], [f"unknowns/A_{n}.npy" for n in range(3)])
        self.assertEqual(self.done("info", "out/unknowns.h5"), "out/unknowns.h5\n  format   HDF5\n"
                         "  dataset  /A_0   5 x 3   (f64, order 2)\n  dataset  /A_1   201 x 3   (f64, order 2)\n"
                         "  dataset  /A_2   61 x 3   (f64, order 2)\n")

    def test_a_result_without_npy_names_the_datasets_and_starts_another_run(self):
        self.done("run", "run.yaml", "--quiet", "--set", "output.formats=[hdf5]", "--set", "solver.max_sweeps=20")
        self.assertEqual([u["file"] for u in self.result("out")["unknowns"]], [f"unknowns.h5:/A_{n}" for n in range(3)])
        self.assertFalse((self.folder / "out/unknowns").exists())
        for start in ("out", "out/unknowns.h5"):
            self.done("run", "run.yaml", "--quiet", "--set", f"solver.init={{file: {start}}}", "--set", "solver.max_sweeps=0",
                      "--set", "output={directory: again, overwrite: true}")
            self.assertAlmostEqual(self.result("again")["objective"] / self.result("out")["objective"], 1, delta=1e-9)
        self.done("run", "run.yaml", "--quiet", "--set", "output={directory: out, overwrite: true}", "--set", "solver.max_sweeps=1")
        self.assertFalse((self.folder / "out/unknowns.h5").exists())

    def test_data_and_lists_are_read_and_a_run_on_them_is_resumed(self):
        states = "algorithm: dmrg\nsettings: {model: {name: heisenberg, sites: 4}, maxdim: 4, start: neel}\n"
        self.write("states.yaml", states + "output: {directory: states, formats: [hdf5]}\n")
        self.done("run", "states.yaml", "--quiet")
        # Cores of a state have three axes: as a list of data they are refused, by which dataset is the first is seen.
        self.write("list.yaml", 'algorithm: dmrg\ndata: {H: {files: "states/unknowns.h5:/psi[*]"}}\nsettings: {maxdim: 4}\n')
        done = self.tyto("check", "list.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("the tensor of site 1 has another shape: expected [left][right][out][in], none of them 0, found 1 x 2 x 2", done.stderr)
        self.write("gap.yaml", 'algorithm: dmrg\ndata: {H: {files: "states/unknowns.h5:/phi[*]"}}\nsettings: {maxdim: 4}\n')
        self.assertIn("nothing fits states/unknowns.h5:/phi[*]\n  expected  whole numbers in place of *\n"
                      "  found     /psi[0], /psi[1], /psi[2] or /psi[3] in states/unknowns.h5", self.tyto("check", "gap.yaml").stderr)
        self.write("tensor.yaml", 'algorithm: cp-als\ndata: {X: {file: "states/unknowns.h5:/psi[1]"}}\nsettings: {rank: 2}\n'
                   "solver: {max_sweeps: 4, tolerance: 0}\noutput: {directory: out}\n")
        self.done("run", "tensor.yaml", "--quiet")
        self.done("resume", "out", "--quiet", "--set", "solver.max_sweeps=6")
        self.assertEqual(self.result("out")["sweeps"], 6)

    @unittest.skipUnless(python_with_h5py(), "no h5py (Debian: python3-h5py)")
    def test_files_of_h5py_are_read(self):
        script = ("import h5py, numpy\nwith h5py.File('x.h5', 'w') as f:\n  f['r'] = numpy.arange(24.0).reshape(2, 3, 4)\n"
                  "  f.create_dataset('g/s', data=numpy.arange(24, dtype='f4').reshape(2, 3, 4), chunks=(1, 3, 2), compression='gzip')\n"
                  "  f['z'] = numpy.arange(4) * (1 - 2j)\nnumpy.save('r.npy', numpy.arange(24.0).reshape(2, 3, 4))\n"
                  "numpy.save('s.npy', numpy.arange(24, dtype='f4').reshape(2, 3, 4))\nnumpy.save('z.npy', numpy.arange(4) * (1 - 2j))\n")
        subprocess.run([python_with_h5py(), "-c", script], cwd=self.folder, check=True)
        for dataset in ("r", "g/s", "z"):
            self.assertEqual(self.bytes_of(f"x.h5:/{dataset}"), (self.folder / f"{dataset[-1]}.npy").read_bytes())

    @unittest.skipUnless(python_with_h5py(), "no h5py (Debian: python3-h5py)")
    def test_h5py_reads_results(self):
        self.done("run", "run.yaml", "--quiet", "--set", "output.formats=[npy, hdf5]", "--set", "solver.max_sweeps=2")
        script = ("import h5py, numpy\nwith h5py.File('out/unknowns.h5') as f:\n  for name in f:\n"
                  "    assert (f[name][()] == numpy.load('out/unknowns/' + name + '.npy')).all()\n  print(len(f))\n")
        done = subprocess.run([python_with_h5py(), "-c", script], cwd=self.folder, check=True, capture_output=True, text=True)
        self.assertEqual(done.stdout, "3\n")


class WithoutHdf5(HostTest):
    def test_what_is_missing_is_said(self):
        """A copy of tyto that has its plugins and no backends."""
        lib = self.folder / "lib"
        lib.mkdir()
        for library in (HERE.build / "lib").glob("libtyto.so*"):
            shutil.copy(library, lib / library.name, follow_symlinks=False)
        (lib / "tyto").mkdir()
        (lib / "tyto/plugins").symlink_to(HERE.build / "lib/tyto/plugins")
        (self.folder / "x.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
        self.write("h5.yaml", "algorithm: cp-als\ndata: {X: {file: x.h5}}\nsettings: {rank: 2}\n")
        where = {"LD_LIBRARY_PATH": str(lib)}
        reason = ("this tyto was built without HDF5\n  expected  the module hdf5.so beside the other backends\n"
                  "  try       installing libhdf5-dev and building tyto again, or .npy files\n")
        done = self.tyto("check", "h5.yaml", environment=where)
        self.assertEqual((done.returncode, done.stderr), (2, f"x.h5: {reason}  while     reading the input X, named at h5.yaml:2:18\n"))
        done = self.tyto("run", "run.yaml", "--set", "output.formats=[hdf5]", environment=where)
        self.assertEqual(done.returncode, 2)
        self.assertIn(reason, done.stderr)
        self.assertNotIn("out", self.names())


if __name__ == "__main__":
    unittest.main()
