"""share/bootstrap on machines that lack things: every command it calls is replaced by one that writes down the call."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BOOTSTRAP = Path(__file__).resolve().parents[2] / "share" / "bootstrap"
REQUIRED = ("g++ cmake ninja-build pkg-config python3 libboost-dev libboost-program-options-dev libboost-graph-dev libboost-test-dev "
            "libyaml-cpp-dev libfmt-dev libopenblas-openmp-dev liblapack-dev liblapacke-dev").split()
OPTIONAL = ("ccache clang-format python3-numpy libopenmpi-dev openmpi-bin libhdf5-openmpi-dev python3-h5py libpetsc-real-dev libslepc-real-dev libtrilinos-tpetra-dev "
            "libtrilinos-kokkos-dev libtrilinos-kokkos-kernels-dev libtrilinos-teuchos-dev libtrilinos-epetra-dev "
            "libtrilinos-belos-dev libtrilinos-anasazi-dev libtrilinos-aztecoo-dev libtrilinos-xpetra-dev libtrilinos-thyra-dev "
            "libtrilinos-rtop-dev libtrilinos-epetraext-dev libtrilinos-triutils-dev").split()

LOG = 'echo "${0##*/} $*" >> "$MACHINE/calls"\n'
COMMANDS = {
    "dpkg-query": 'cat "$MACHINE/packages"\n',
    # installs what is named unless $MACHINE/unavailable lists it; then it installs nothing and fails
    "apt-get": LOG + 'for word; do [ "$word" = update ] && exit 0; done\n'
               'while [ "$1" != -y ]; do shift; done; shift\n'
               'for name; do grep -qxF "$name" "$MACHINE/unavailable" && exit 100; done\n'
               'for name; do echo "$name installed" >> "$MACHINE/packages"; done\n',
    "sudo": LOG + 'exec "$@"\n',
    "id": 'cat "$MACHINE/user"\n',
    "nproc": "echo 64\n",
    "cmake": LOG + 'case "$*" in "--preset "*) mkdir -p "build/$2"; touch "build/$2/build.ninja" ;; esac\n'
             'if [ -e "$MACHINE/fails" ]; then case "$*" in *"$(cat "$MACHINE/fails")"*) exit 7 ;; esac; fi\n',
    "ctest": LOG + "echo 100% tests passed\n",
}
TOOLS = "bash sh env cat dirname sed grep mkdir rm touch".split()


class Machine:
    def __init__(self, packages, unavailable=(), user="0", commands=COMMANDS):
        self.until_collected = tempfile.TemporaryDirectory()
        self.folder = Path(self.until_collected.name)
        (self.folder / "packages").write_text("".join(f"{name} installed\n" for name in packages))
        (self.folder / "unavailable").write_text("".join(f"{name}\n" for name in unavailable))
        (self.folder / "user").write_text(user + "\n")
        self.tree, bin_folder = self.folder / "tree", self.folder / "bin"
        for folder in (self.tree / "share", self.tree / "build/release/bin", bin_folder):
            folder.mkdir(parents=True)
        shutil.copy(BOOTSTRAP, self.tree / "share")
        for path, text in [(bin_folder / name, text) for name, text in commands.items()] + [(self.tree / "build/release/bin/tyto", LOG + "exit 3\n")]:
            path.write_text("#!/bin/sh\n" + text)
            path.chmod(0o755)
        for name in TOOLS:
            (bin_folder / name).symlink_to(shutil.which(name))

    def call(self, *arguments, status=0):
        """The calls that this call leads to, and what is said."""
        (self.folder / "calls").write_text("")
        done = subprocess.run([self.tree / "share/bootstrap", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, env={"PATH": str(self.folder / "bin"), "MACHINE": str(self.folder)}, check=False)
        assert done.returncode == status, f"status {done.returncode}\n{done.stdout}{done.stderr}"
        calls = (self.folder / "calls").read_text().replace(str(self.tree), "TREE").splitlines()
        return calls, done.stderr

    def fail_at(self, words):
        (self.folder / "fails").write_text(words)


INSTALL = "apt-get -q -o DPkg::Lock::Timeout=600 install --no-install-recommends -y "
UPDATE = "apt-get -q -o DPkg::Lock::Timeout=600 update"
CONFIGURE = "cmake --preset release"
BUILD = "cmake --build TREE/build/release -j 2 --target tyto_host_and_plugins"
RUN = "tyto run a.yaml --set x=1"


class Bootstrap(unittest.TestCase):
    def test_installs_required_packages_first_then_builds_and_runs(self):
        machine = Machine([])
        calls, said = machine.call("run", "a.yaml", "--set", "x=1", status=3)
        self.assertEqual(calls, [UPDATE, INSTALL + " ".join(REQUIRED), INSTALL + " ".join(OPTIONAL), CONFIGURE, BUILD, RUN])
        self.assertIn("missing, required: " + " ".join(REQUIRED), said)
        self.assertIn("missing, optional: " + " ".join(OPTIONAL), said)

    def test_second_call_only_builds_and_runs(self):
        machine = Machine([])
        machine.call("run", "a.yaml", "--set", "x=1", status=3)
        calls, said = machine.call("--yes", "run", "a.yaml", "--set", "x=1", status=3)
        self.assertEqual((calls, said), ([BUILD, RUN], ""))

    def test_takes_another_openblas_for_good(self):
        others = [name for name in REQUIRED + OPTIONAL if "openblas" not in name]
        self.assertEqual(Machine(others + ["libopenblas-pthread-dev"]).call("run", "a.yaml", "--set", "x=1", status=3)[0],
                         [CONFIGURE, BUILD, RUN])

    def test_goes_on_without_optional_packages_and_does_not_try_again(self):
        machine = Machine(REQUIRED, unavailable=["libpetsc-real-dev"])
        calls, said = machine.call("run", "a.yaml", "--set", "x=1", status=3)
        self.assertEqual(calls[0:2] + calls[-3:], [UPDATE, INSTALL + " ".join(OPTIONAL), CONFIGURE, BUILD, RUN])
        self.assertIn(INSTALL + "libslepc-real-dev", calls)
        self.assertIn("going on without the optional: libpetsc-real-dev (to try again: rm build/packages-given-up)", said)
        self.assertEqual(machine.call("run", "a.yaml", "--set", "x=1", status=3)[0], [BUILD, RUN])

    def test_stops_without_a_required_package(self):
        calls, said = Machine(OPTIONAL, unavailable=["libfmt-dev"]).call("test", status=2)
        self.assertFalse([call for call in calls if call.startswith("cmake")])
        self.assertTrue(said.endswith("bootstrap: cannot go on without: libfmt-dev\n"), said)

    def test_uses_sudo_for_an_ordinary_user(self):
        calls, _ = Machine(REQUIRED[1:] + OPTIONAL, user="1000").call("build")
        self.assertEqual(calls[0:2], ["sudo " + UPDATE, UPDATE])
        self.assertEqual(calls[2], "sudo env DEBIAN_FRONTEND=noninteractive " + INSTALL + "g++")

    def test_without_apt_says_what_is_missing(self):
        commands = {name: text for name, text in COMMANDS.items() if name != "apt-get"}
        calls, said = Machine(REQUIRED[1:] + OPTIONAL, commands=commands).call("build", status=2)
        self.assertEqual((calls, said), ([], "bootstrap: missing, required: g++\nbootstrap: cannot go on without: g++\n"))
        calls, said = Machine(REQUIRED + OPTIONAL[1:], commands=commands).call("build")
        self.assertEqual(calls, [CONFIGURE, "cmake --build TREE/build/release -j 2"])

    def test_without_dpkg_leaves_the_check_to_configure(self):
        commands = {name: text for name, text in COMMANDS.items() if name not in ("apt-get", "dpkg-query")}
        calls, said = Machine([], commands=commands).call("build")
        self.assertEqual(calls[0], CONFIGURE)
        self.assertIn("no dpkg here; needed are, by their Debian names: g++ cmake ninja-build pkg-config python3", said)

    def test_builds_all_trees_and_tests_them_together(self):
        machine = Machine(REQUIRED + OPTIONAL)
        calls, _ = machine.call("test", "--yes")
        self.assertEqual(calls, [
            "cmake --preset release -DTYTO_WARNINGS_AS_ERRORS=ON", "cmake --build TREE/build/release -j 2",
            "cmake --preset asan", "cmake --build TREE/build/asan -j 2",
            "cmake --install TREE/build/release --prefix TREE/build/stage",
            "cmake -S TREE/tests/outside -B TREE/build/outside -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=TREE/build/stage",
            "cmake --build TREE/build/outside -j 2",
            "ctest --test-dir TREE/build/checks -j 2 --output-on-failure --no-tests=error"])
        tested = (machine.tree / "build/checks/CTestTestfile.cmake").read_text().replace(str(machine.tree), "TREE")
        self.assertEqual(tested, 'subdirs("TREE/build/release")\nsubdirs("TREE/build/asan")\nsubdirs("TREE/build/outside")\n')

    def test_a_phase_that_fails_ends_the_tests(self):
        for words in ("--build TREE/build/release", "--build TREE/build/asan", "--install", "-S TREE", "--build TREE/build/outside"):
            machine = Machine(REQUIRED + OPTIONAL)
            machine.fail_at(words.replace("TREE", str(machine.tree)))
            calls, _ = machine.call("test", status=7)
            self.assertIn(words, calls[-1])

    def test_wrong_calls_get_the_usage(self):
        for arguments, text in [((), "what shall it do?"), (("run",), "run needs a configuration file"),
                                (("test", "x"), "test takes no argument"), (("rnu",), "unknown argument 'rnu'")]:
            calls, said = Machine([]).call(*arguments, status=2)
            self.assertEqual(calls, [])
            self.assertTrue(said.startswith(f"bootstrap: {text}\nusage: share/bootstrap run"), said)


if __name__ == "__main__":
    unittest.main()
