#!/usr/bin/env python3
"""Where the host finds things, and how it is started: folders, environment, MPI."""
import os
import shutil
import subprocess
import unittest

from host import AMINOACID, HERE, HostTest

GOOD = f"{HERE.build}/plugins_bad/good"


class Surroundings(HostTest):
    def test_data_are_found_from_the_current_folder(self):
        self.write("configs/run.yaml", AMINOACID)
        self.assertEqual(self.tyto("check", "configs/run.yaml").returncode, 0)

    def test_data_are_found_beside_the_run_file_too(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        done = self.tyto("run", "../run.yaml", "--quiet", folder=elsewhere)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("elsewhere/out/result.json", self.names())  # results stay where the user is

    def test_data_of_the_current_folder_win(self):
        self.write("configs/run.yaml", AMINOACID)
        self.write("configs/data/aminoacid.txt", "no tensor\n")
        self.assertEqual(self.tyto("check", "configs/run.yaml").returncode, 0)

    def test_data_may_be_read_only(self):
        (self.folder / "data").unlink()
        (self.folder / "data").mkdir()
        shutil.copy(HERE.source / "share/data/aminoacid.txt", self.folder / "data/aminoacid.txt")
        os.chmod(self.folder / "data/aminoacid.txt", 0o444)
        os.chmod(self.folder / "data", 0o555)
        self.addCleanup(os.chmod, self.folder / "data", 0o755)
        self.assertEqual(self.tyto("run", "run.yaml", "--quiet").returncode, 0)

    def test_plugins_are_found_in_the_folders_of_the_environment(self):
        done = self.tyto("describe", "good-one", environment={"TYTO_PLUGIN_PATH": f":{HERE.build}/lib:{GOOD}"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("good-one 1.2.3: does nothing\n"), done.stdout)

    def test_a_folder_of_the_environment_that_is_missing_is_an_error(self):
        done = self.tyto("list", environment={"TYTO_PLUGIN_PATH": "/nowhere"})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(
            done.stderr,
            "TYTO_PLUGIN_PATH: cannot read the folder /nowhere\n  expected  a folder with plugins (*.so)\n"
            "  found     No such file or directory\n  try       correcting the path; a relative one starts at the working directory\n",
        )

    def test_plugins_are_found_in_the_folders_of_the_run_file(self):
        (self.folder / "mine").symlink_to(GOOD)
        self.write("run.yaml", "algorithm: good-one\nplugin_path: mine\nsettings: {rank: 1}\n")
        (self.folder / "elsewhere").mkdir()
        for folder, name in ((self.folder, "run.yaml"), (self.folder / "elsewhere", "../run.yaml")):
            self.assertIn("plugin declares no objective", self.tyto("check", name, folder=folder).stderr)

    def test_several_processes_are_one_clear_error(self):
        if not HERE.mpirun:
            self.skipTest("no mpirun, or a host without MPI")
        done = subprocess.run([HERE.mpirun, "-n", "2", str(HERE.host), "run", "run.yaml"], cwd=self.folder, env=self.environment({}), text=True, capture_output=True, timeout=100)
        error = (
            "runs over several processes are not part of this version\n  expected  1 process\n  found     2 processes\n"
            "  try       starting tyto without mpirun; execution.threads uses several cores\n"
        )
        self.assertEqual(done.stderr.count(error), 1, done.stderr)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.names(), ["data", "run.yaml"])

    def test_one_process_of_mpirun_runs(self):
        if not HERE.mpirun:
            self.skipTest("no mpirun, or a host without MPI")
        done = subprocess.run([HERE.mpirun, "-n", "1", str(HERE.host), "run", "run.yaml", "--quiet"], cwd=self.folder, env=self.environment({}), text=True, capture_output=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("relative error 0.0250485 at rank 3", done.stdout)


if __name__ == "__main__":
    unittest.main()
