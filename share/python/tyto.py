"""tyto from Python: runs the program tyto on numpy arrays, and traces objectives that are written in Python.

    result = tyto.cp_als(X, rank=3)
    result = tyto.run({"algorithm": "cp-als", "settings": {"rank": 3}}, X=X)
    objective = tyto.trace(f, X=X, unknowns={"A": (5, 3), "B": (201, 3)})

The guide is docs/guide/python.md. This file needs numpy, and the program: as `host=` says, as TYTO in the environment says, on
the PATH, or where this file was installed with it.
"""
import collections
import dataclasses
import difflib
import inspect
import json
import linecache
import logging
import math
import numbers
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import weakref

import numpy as np

log_messages = logging.getLogger("tyto")


class Error(Exception):
    """Where, what, what was expected and found, and one thing to try, as a text.

    status: the exit status of the program (docs/guide/errors.md); None where it was not started.
    result: what a run wrote that failed or did not converge; else None.
    """

    def __init__(self, text, status=None, result=None):
        super().__init__(text)
        self.status, self.result = status, result


def _finding(what, expected="", found="", hint="", line=""):
    rows = (("in", line), ("expected", expected), ("found", found), ("try", hint))
    return "\n".join([what, *(f"  {word:<8}  {text}" for word, text in rows if text)])


# ---- running -------------------------------------------------------------------------------------------------------------------


def run(config, /, *, keep=None, host=None, on_message=None, **arrays):
    """Runs a configuration, the keys of a run file (docs/guide/run-files.md), and returns its Result.

    Arrays are data by name, as in `run(config, X=X)`. In `config`, too, an array may stand where a run file names a file:
    `"unknowns": {"A": {"init": A0}}`. Paths are relative to the current folder.

    keep: a folder for run.json, the arrays and the result, in out/; else these are removed with the Result.
    on_message: is called with each line that the program says; without it lines go to the logger "tyto" with level INFO.
    Raises Error. Ctrl-C lets the program finish its sweep, and the Result is that of an interrupted run; a second one ends it.
    """
    folder = _folder(keep)
    try:
        file, out = _write_run(config, arrays, folder)
        hears = on_message is not None or log_messages.isEnabledFor(logging.INFO)
        words = [_program(host), "run", str(file), *([] if hears else ["--quiet"])]
        status, text, interrupts = _follow(words, on_message or log_messages.info)
        has_written = status in (0, 1, 3)  # else a result that is there is an earlier one
        result = read(out) if has_written and (out / "result.json").exists() else None
    except BaseException:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if keep is None:
        text = text.replace(f"{folder}/", "")
        if result is None:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            weakref.finalize(result, shutil.rmtree, folder, ignore_errors=True)
    if interrupts and result is None:
        raise KeyboardInterrupt
    if status != 0:
        outcome = f"{result.status}: {result.reason}" if result is not None else f"the program ended with status {status}"
        raise Error(text or outcome, status, result)
    if text:
        log_messages.warning(text)
    return result


def check(config, /, *, host=None, **arrays):
    """Everything that can be known before a run, without running. Raises Error with all that is wrong."""
    _say(config, arrays, host, "check")


def explain(config, /, *, analyze=False, host=None, **arrays):
    """The plan as a text: steps, flops, memory and why; with `analyze` also the time that each step takes."""
    return _say(config, arrays, host, "explain", *(["--analyze"] if analyze else []))


def algorithm(name, *, host=None):
    """A function that runs an algorithm: algorithm("tucker-hooi")(X, ranks=[3, 3, 3], solver={"starts": 5}).

    Its first argument is the data X, if the algorithm has any. Other keywords are settings of the algorithm, which its docstring
    lists, or sections of a run file: data, unknowns, solver, execution, plan, output, ... `keep` and `on_message` are those of
    run().
    """

    def run_it(X=None, *, keep=None, on_message=None, **more):
        sections = {key: value for key, value in more.items() if key in _SECTIONS}
        settings = {key: value for key, value in more.items() if key not in _SECTIONS}
        arrays = {} if X is None else {"X": X}
        return run({"algorithm": name, "settings": settings, **sections}, keep=keep, host=host, on_message=on_message, **arrays)

    run_it.__name__, run_it.__doc__ = name.replace("-", "_"), _output([_program(host), "describe", name])
    return run_it


def cp_als(X, rank, *, start=None, **more):
    """The CP decomposition of X by alternating least squares, as algorithm("cp-als")(X, rank=rank, **more) does it.

    start: weights and factors to begin with, in any form that factors() takes.
    """
    if start is not None:
        modes, parts = more.get("data", {}).get("X", {}).get("modes", range(np.ndim(X))), factors(start)
        if len(parts) != np.ndim(X):
            raise Error(_finding("the start has another number of factors than X has modes", str(np.ndim(X)), str(len(parts))))
        given = more.get("unknowns", {})
        begin = {f"A_{mode}": {"init": factor} for mode, factor in zip(modes, parts)}
        more["unknowns"] = {**given, **{name: {**traits, **given.get(name, {})} for name, traits in begin.items()}}
    return algorithm("cp-als", host=more.pop("host", None))(X, rank=rank, **more)


_SECTIONS = ("plugin_path", "data", "unknowns", "solver", "execution", "plan", "output", "compare_to", "expect")


def _program(given):
    """The path of the program tyto."""
    for name, origin in ((given, "host"), (os.environ.get("TYTO"), "TYTO in the environment")):
        if name:
            found = shutil.which(str(name))
            if not found:
                raise Error(_finding(f"{origin} names no program", "the path of the program tyto", str(name)))
            return found
    here = pathlib.Path(__file__).resolve().parent
    installed, built = here.parents[2] / "bin/tyto", here.parents[1] / "build/release/bin/tyto"
    for candidate in (shutil.which("tyto"), installed, built):
        if candidate and os.access(candidate, os.X_OK):
            return str(candidate)
    places = f"it on the PATH, or {installed}, or {built}"
    hint = "TYTO=/path/to/tyto in the environment, or host="
    raise Error(_finding("the program tyto is not found", places, "none of them", hint))


def _folder(keep):
    """An absolute path: messages name files by it, whatever folder the program is started from."""
    if keep is None:
        return pathlib.Path(tempfile.mkdtemp(prefix="tyto-"))
    folder = pathlib.Path(keep).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Error(_finding(f"keep: the folder {keep} cannot be made", found=error.strerror)) from None
    return folder


def _is_array(value):
    return hasattr(value, "__array__") and not isinstance(value, np.generic)


def _storable(array):
    """With elements of a type that the program reads, where there is one that holds them all."""
    array = np.asarray(array)
    if array.dtype.kind in "biu":
        return array.astype(np.promote_types(array.dtype, np.int16))
    if array.dtype.kind == "f":
        return array.astype(np.float64 if array.itemsize > 8 else np.promote_types(array.dtype, np.float32))
    return array


def _plain(value, store, *path):
    """A configuration of what JSON has. Arrays become files: `store` takes a name and an array, and returns the path."""
    if isinstance(value, dict):
        return {str(key): _plain(item, store, *path, str(key)) for key, item in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    if _is_array(value):
        if path[0] not in ("data", "unknowns"):
            return np.asarray(value).tolist()
        names = [name for name in path[1:] if name != "file"]
        file = store(".".join(names).replace("/", "_") + ".npy", value)
        return file if path[-1] == "file" else {"file": file}
    if isinstance(value, (list, tuple)):
        return [_plain(item, store, *path, str(n)) for n, item in enumerate(value)]
    if isinstance(value, os.PathLike):
        return str(value)
    if value is not None and not isinstance(value, (str, int, float)):
        expected = "text, number, True or False, list, dict or array"
        raise Error(_finding(f"'{'.'.join(path)}' is nothing that a run file has", expected, type(value).__name__))
    return value


def _write_run(config, arrays, folder):
    """Writes run.json and the arrays into the folder; returns its path and that of the result."""
    if not isinstance(config, dict):
        hint = '{"algorithm": "cp-als", ...}'
        raise Error(_finding("a configuration is a dict", "the keys of a run file", type(config).__name__, hint))
    data = {**config.get("data", {})}
    for name, array in arrays.items():
        data[name] = {**data.get(name, {}), "file": np.asarray(array)}
    output = {"directory": folder / "out", **config.get("output", {})}
    whole = {**config, **({"data": data} if data else {}), "output": output}

    def store(name, array):
        np.save(folder / name, _storable(array))
        return str(folder / name)

    file = folder / "run.json"
    file.write_text(json.dumps(_plain(whole, store), indent=2, ensure_ascii=False) + "\n")
    return file, pathlib.Path(output["directory"])


def _follow(words, hear):
    """Runs the program to its end: its exit status, what it said of errors, and how often it was interrupted.

    It has a session of its own: a terminal sends Ctrl-C to all processes of one, and the program would take the second for a wish
    to end at once.
    """
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    errors, interrupts = [], 0
    reader = threading.Thread(target=lambda: errors.extend(process.stderr), daemon=True)
    reader.start()
    try:
        is_open = True
        while is_open:
            try:
                line = process.stdout.readline()
                is_open = bool(line)
                if line.strip():
                    hear(line.rstrip("\n"))
            except KeyboardInterrupt:
                interrupts += 1
                process.send_signal(signal.SIGINT)
        status = process.wait()
    finally:
        process.kill()  # where `hear` has raised; else it has ended
        process.wait()
        reader.join()
        process.stdout.close(), process.stderr.close()
    return status, "".join(line for line in errors if not line.startswith("finishing the sweep")).rstrip("\n"), interrupts


def _output(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise Error(done.stderr.rstrip("\n") or f"the program ended with status {done.returncode}", done.returncode)
    return done.stdout


def _say(config, arrays, host, command, *options):
    with tempfile.TemporaryDirectory(prefix="tyto-") as name:
        file, _ = _write_run(config, arrays, pathlib.Path(name))
        try:
            return _output([_program(host), command, str(file), *options])
        except Error as error:
            raise Error(str(error).replace(f"{name}/", ""), error.status) from None


# ---- results -------------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class Result:
    """What a run found.

    record: result.json as a dict (docs/guide/cp-als.md); folder: where the files are.
    unknowns: arrays by name, which result["A"] returns, too. observed: numbers and arrays by name.
    history: one dict for each sweep: start, sweep, objective, relative_error, change, seconds, ...
    """

    record: dict
    unknowns: dict
    observed: dict
    history: list
    folder: pathlib.Path

    status = property(lambda self: self.record["status"], doc="converged, limit, interrupted, stalled, degenerate or failed")
    reason = property(lambda self: self.record["reason"], doc="why it ended, in a sentence")
    objective = property(lambda self: self.record["objective"], doc="value at the end")
    relative_error = property(lambda self: self.record["relative_error"], doc="None where the objective is no sum of squares")
    sweeps = property(lambda self: self.record["sweeps"], doc="of the best start")
    converged = property(lambda self: self.status == "converged")
    warnings = property(lambda self: self.record["warnings"], doc="what was said once while it ran")
    report = property(lambda self: self.folder / "report.html", doc="path of the report, for a browser")

    def __getitem__(self, name):
        for values in (self.unknowns, self.observed):
            if name in values:
                return values[name]
        names = [*self.unknowns, *self.observed]
        raise KeyError(f"no '{name}' among {', '.join(names)}")

    def __repr__(self):
        value = f"objective {self.objective:.9g}" if self.relative_error is None else f"relative error {self.relative_error:.7g}"
        shapes = ", ".join(f"{name} {array.shape}" for name, array in self.unknowns.items())
        return f"<tyto.Result: {value}; {self.status}: {self.reason}; {shapes}>"

    def cp_tensor(self):
        """A CP decomposition as (weights, [factors]), which tensorly takes for a CPTensor.

        Columns have norm 1, weights fall; in every mode but the last the entry of largest magnitude is positive. So they are in
        ktensor.txt.
        """
        parts = [np.asarray(factor) for factor in self._factors()]
        norms = [np.linalg.norm(factor, axis=0) for factor in parts]
        parts = [factor / np.where(norm > 0, norm, 1) for factor, norm in zip(parts, norms)]
        weights = math.prod(norms)
        order = np.argsort(-weights, kind="stable")
        weights, parts = weights[order], [factor[:, order] for factor in parts]
        for factor in parts[:-1]:
            signs = np.where(np.take_along_axis(factor, np.abs(factor).argmax(axis=0)[None], 0)[0] < 0, -1.0, 1.0)
            factor *= signs
            parts[-1] *= signs
        return weights, parts

    def ktensor(self):
        """The same as ([factors], weights), the arguments of pyttb's ktensor: pyttb.ktensor(*result.ktensor())."""
        weights, parts = self.cp_tensor()
        return parts, weights

    def _factors(self):
        unknowns = self.record["unknowns"]
        are_matrices = all(len(unknown["shape"]) == 2 for unknown in unknowns)
        are_matrices = are_matrices and len({unknown["labels"][1] for unknown in unknowns}) == 1
        names = {unknown["labels"][0]: unknown["name"] for unknown in unknowns if unknown["labels"]}
        for data in self.record["data"]:
            if are_matrices and len(unknowns) == len(data["labels"]) and set(names) == set(data["labels"]):
                return [self.unknowns[names[mode]] for mode in data["labels"]]
        found = ", ".join(f"{unknown['name']}[{','.join(unknown['labels'])}]" for unknown in unknowns)
        raise Error(_finding("this result is no CP decomposition", "a matrix [mode][component] for each mode of the data", found))


def read(folder):
    """The Result that a run wrote into a folder, whoever started it."""
    folder = pathlib.Path(folder)
    if not (folder / "result.json").exists():
        raise Error(_finding(f"{folder} holds no result", "result.json, as in output.directory of a run"))
    record = json.loads((folder / "result.json").read_text())

    def array(entry):
        return np.load(folder / entry["file"])

    return Result(
        record=record,
        unknowns={entry["name"]: array(entry) for entry in record["unknowns"] if entry.get("file")},
        observed={name: array(value) if isinstance(value, dict) else value for name, value in record["observed"].items()},
        history=[json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()],
        folder=folder,
    )


def factors(decomposition):
    """Factor matrices whose product is a CP decomposition, as starting values.

    It may be tensorly's CPTensor or (weights, [factors]), pyttb's ktensor or ([factors], weights), or [factors]. Weights are
    spread over the factors evenly; their signs go to the last one.
    """
    weights, parts = _weights_and_factors(decomposition)
    parts = [np.array(factor, dtype=float) for factor in parts]
    if weights is not None:
        weights = np.asarray(weights, dtype=float)
        parts = [factor * np.abs(weights) ** (1 / len(parts)) for factor in parts]
        parts[-1] = parts[-1] * np.sign(weights)
    return parts


def _weights_and_factors(decomposition):
    if hasattr(decomposition, "factor_matrices"):
        return decomposition.weights, decomposition.factor_matrices
    items = list(decomposition) if hasattr(decomposition, "__iter__") else []
    if _are_matrices(items):
        return None, items
    for factors_at, weights_at in ((1, 0), (0, 1)):
        if len(items) == 2 and isinstance(items[factors_at], (list, tuple)) and _are_matrices(items[factors_at]):
            return items[weights_at], items[factors_at]
    expected = "(weights, [factors]), ([factors], weights) or [factors]"
    raise Error(_finding("this is no CP decomposition", expected, type(decomposition).__name__))


def _are_matrices(items):
    return len(items) > 0 and all(_is_array(item) and np.ndim(item) == 2 for item in items)


# ---- tracing -------------------------------------------------------------------------------------------------------------------


def trace(function, /, *, unknowns, method="alternating", **data):
    """The objective that a Python function computes, as a formula of a run file (docs/guide/objectives.md): an Objective.

    The function gets its arguments by name and returns a scalar. It may use + - * / ** @, the functions of this module and those
    of numpy with the same names; called with arrays it computes the value itself.

    data: by name an array, its shape, or a number, which becomes a parameter of the formula.
    unknowns: by name a shape, starting values as an array, or a dict of a "shape" and traits: {"shape": (5, 3), "lower": 0};
    traits of all under "*".
    Raises Error that names the Python line where it does not fit.
    """
    numbers_given = {name: _finite(float(value)) for name, value in data.items() if _is_number(value)}
    tensors = {name: _shape_or_array(name, value) for name, value in data.items() if name not in numbers_given}
    traits = {name: _traits(name, value) for name, value in unknowns.items()}
    shapes = {**dict.fromkeys(numbers_given, ()), **tensors}
    shapes.update((name, of_name.pop("shape")) for name, of_name in traits.items() if name != "*")
    leaves = {name: Leaf(name, getattr(shape, "shape", shape)) for name, shape in shapes.items()}
    formula = _formula_of(function, leaves)
    parameters = {name: _number(value) for name, value in numbers_given.items()}
    return Objective(
        config={
            "method": method,
            "minimize": formula.text,
            "define": {**parameters, **formula.definitions},
            "extents": formula.extents_beside(tensors),
            "unknowns": traits,
        },
        data=tensors,
    )


def _formula_of(function, leaves):
    """Calls the function with tensors that have no entries."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        raise Error(_finding("only a function can be traced", "def f(X, A, B): ...", type(function).__name__))
    name, place = function.__name__, (code.co_filename, code.co_firstlineno)
    try:
        inspect.signature(function).bind(**leaves)
    except TypeError as error:
        hint = f"data or unknowns for each argument of {name}, and no others"
        raise _error_at(*place, f"{name}: {error}", "", _listed(leaves), hint) from None
    value = function(**leaves)
    if _shape_of(value) != () or not isinstance(value, Tensor):
        found = f"a tensor of shape {value.shape}" if isinstance(value, Tensor) else type(value).__name__
        hint = "norm2(...) or sum(...) of it"
        raise _error_at(*getattr(value, "place", place), "an objective is a scalar", "a number", found, hint)
    formula = Formula(value, set(leaves))
    for leaf in leaves:
        if leaf not in formula.used:
            raise _error_at(*place, f"{leaf} stands nowhere in what {name} returns", hint="leaving it out")
    return formula


def _shape_or_array(name, value):
    """A tuple or an array."""
    if isinstance(value, (tuple, list)) and all(isinstance(extent, numbers.Integral) for extent in value):
        return tuple(int(extent) for extent in value)
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise Error(_finding(f"{name} is no tensor", "an array, a shape such as (5, 3), or for data a number", repr(value)))
    return array


def _traits(name, given):
    """Of an unknown, as a run file has them, beside its shape."""
    if name == "*":
        return dict(given)
    traits = dict(given) if isinstance(given, dict) else {"shape": given}
    if "shape" not in traits and not _is_array(traits.get("init")):
        raise Error(_finding(f"the unknown {name} has no shape", '{"shape": (5, 3), ...}', repr(given)))
    shape = _shape_or_array(name, traits.get("shape", traits.get("init")))
    if isinstance(shape, np.ndarray):
        traits.setdefault("init", shape)
    return {**traits, "shape": shape}


@dataclasses.dataclass(frozen=True)
class Objective:
    """A traced objective: print() shows it as a run file.

    config: method, minimize, define, extents and unknowns of a run file. data: arrays, or shapes, by name.
    """

    config: dict
    data: dict

    def run(self, *, keep=None, host=None, on_message=None, **more):
        """run() of this objective. `more`: sections of a run file, and arrays by name, in place of shapes."""
        config, arrays = self._with(more)
        return run(config, keep=keep, host=host, on_message=on_message, **arrays)

    def check(self, *, host=None, **more):
        """check() of this objective; `more` as for run()."""
        config, arrays = self._with(more)
        check(config, host=host, **arrays)

    def explain(self, *, analyze=False, host=None, **more):
        """explain() of this objective; `more` as for run()."""
        config, arrays = self._with(more)
        return explain(config, analyze=analyze, host=host, **arrays)

    def _with(self, more):
        sections = {key: value for key, value in more.items() if key in _SECTIONS}
        more_traits = sections.pop("unknowns", {})
        unknowns = {name: {**traits, **more_traits.get(name, {})} for name, traits in self.config["unknowns"].items()}
        unknowns = {**more_traits, **unknowns}
        arrays = {name: value for name, value in self.data.items() if isinstance(value, np.ndarray)}
        arrays = {**arrays, **{key: value for key, value in more.items() if key not in _SECTIONS}}
        for name, shape in self.data.items():
            if name not in arrays and name not in sections.get("data", {}):
                raise Error(_finding(f"{name} was traced with its shape alone", "its entries", str(shape), f"run({name}=array)"))
        return {**self.config, **sections, "unknowns": unknowns}, arrays

    def __str__(self):
        config = _plain({**self.config, "data": {name: {"file": f"{name}.npy"} for name in self.data}}, lambda name, array: name)
        define = "".join(f"\n  {name}: {text}" for name, text in config["define"].items())
        lines = [f"method: {config['method']}", f"minimize: {_folded(config['minimize'])}"]
        lines += [f"define:{define}"] if define else []
        lines += [f"{key}: {_flow(config[key])}" for key in ("data", "extents", "unknowns") if config[key]]
        return "\n".join(lines)


def _folded(formula):
    if len(formula) <= 120:
        return formula
    lines = textwrap.wrap(formula, 120, break_long_words=False, break_on_hyphens=False)
    return ">\n" + "\n".join(f"  {line}" for line in lines)


def _flow(value):
    """In YAML, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key) if key == '*' else key}: {_flow(item)}" for key, item in value.items()) + "}"
    return value if isinstance(value, str) else json.dumps(value)


def _caller():
    """The frame of the program: the first one that is not of this file or of numpy."""
    frame = sys._getframe(1)
    while frame.f_globals is globals() or frame.f_globals.get("__name__", "").partition(".")[0] == "numpy":
        frame = frame.f_back
    return frame


def _place():
    """Where the program is: file and line."""
    frame = _caller()
    return frame.f_code.co_filename, frame.f_lineno


def _refuse(what, expected="", found="", hint=""):
    raise _error_at(*_place(), what, expected, found, hint) from None


def _error_at(file, line, what, expected="", found="", hint=""):
    linecache.checkcache(file)
    return Error(_finding(f"{file}:{line}: {what}", expected, found, hint, linecache.getline(file, line).strip()))


def _finite(value):
    if not math.isfinite(value):
        _refuse("a formula has finite numbers", found=str(value))
    return value


def _number(value):
    short = f"{value:g}"
    return (short if float(short) == value else repr(value)).replace("e+", "e")


def _called(tensor):
    """How a message calls a tensor."""
    return getattr(tensor, "name", None) or tensor.variable or f"a tensor of shape {tensor.shape}"


SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly the text of a part holds together


@dataclasses.dataclass(frozen=True)
class Piece:
    """The text of a part of a formula, and what the rule of summation makes of it.

    must: labels that its value has in any case. open: labels that it has or sums, as its surroundings say.
    is_pure: a product of tensors; of a sum of it both readings are one value.
    """

    text: str
    level: int = ATOM
    must: frozenset = frozenset()
    open: frozenset = frozenset()
    is_pure: bool = False

    def keeping(self, labels):
        """With these labels, whatever the surroundings are."""
        if self.must.issuperset(labels):
            return self
        return Piece(f"({self.text})[{','.join(labels)}]", ATOM, frozenset(labels))

    def within(self, level):
        """In parentheses where its surroundings hold together more tightly."""
        return self.text if self.level >= level else f"({self.text})"


class Tensor:
    """A tensor of a function that is being traced: it has a shape, and no entries.

    letters: names for its axes that the program has used, or None. place: where the program made it.
    """

    def __init__(self, shape, operands=(), letters=()):
        self.shape, self.ndim, self.operands = tuple(shape), len(shape), tuple(operands)
        self.letters = tuple(letters) or (None,) * self.ndim
        self.variable, self.place = None, _place()

    size = property(lambda self: math.prod(self.shape))
    __hash__ = object.__hash__  # by identity, also where == is a part of a formula

    def __len__(self):
        return self.shape[0]

    def __add__(self, other):
        return Sum(self, other, "+")

    def __radd__(self, other):
        return self if _is_number(other) and other == 0 else Sum(other, self, "+")  # Python's sum(...) begins with 0

    def __sub__(self, other):
        return Sum(self, other, "-")

    def __rsub__(self, other):
        return Sum(other, self, "-")

    def __mul__(self, other):
        return _entrywise(self, other)

    def __rmul__(self, other):
        return _entrywise(other, self)

    def __truediv__(self, other):
        return _entrywise(self, other, divides=True)

    def __rtruediv__(self, other):
        return _entrywise(other, self, divides=True)

    def __neg__(self):
        return _entrywise(-1.0, self)

    def __pos__(self):
        return self

    def __pow__(self, exponent):
        return Power(self, exponent)

    def __rpow__(self, base):
        return Power(base, self)

    def __matmul__(self, other):
        return matmul(self, other)

    def __rmatmul__(self, other):
        return matmul(other, self)

    def __abs__(self):
        return abs(self)

    def __gt__(self, other):
        return greater(self, other)

    def __lt__(self, other):
        return greater(other, self)

    def __ge__(self, other):
        return greater_equal(self, other)

    def __le__(self, other):
        return greater_equal(other, self)

    def __eq__(self, other):
        return equal(self, other)

    def __ne__(self, other):
        return 1 - equal(self, other)

    @property
    def T(self):
        return transpose(self)

    def sum(self, axis=None):
        return sum(self, axis)

    def mean(self, axis=None):
        return mean(self, axis)

    def __array_ufunc__(self, ufunc, how, *inputs, **keywords):
        name, function = ufunc.__name__, _UFUNCS.get(ufunc.__name__)
        if function is None:
            _refuse(f"numpy.{name} cannot be traced", _listed(_UFUNCS), hint=_near(name, _UFUNCS))
        if how != "__call__" or keywords:
            expected = f"{name}({', '.join('ab'[: ufunc.nin])})"
            _refuse(f"numpy.{name} can be traced only as a function", expected, _listed(keywords) or how)
        return function(*inputs)

    def __array_function__(self, function, types, arguments, keywords):
        ours = _FUNCTIONS.get(function.__name__)
        if ours is None:
            is_product = function.__name__ in ("dot", "vdot", "inner", "outer", "tensordot", "kron", "trace", "diagonal")
            hint = "einsum" if is_product else _near(function.__name__, _FUNCTIONS)
            _refuse(f"numpy.{function.__name__} cannot be traced", _listed(_FUNCTIONS), hint=hint)
        try:
            inspect.signature(ours).bind(*arguments, **keywords)
        except TypeError as error:
            _refuse(f"numpy.{function.__name__} cannot be traced like this: {error}", str(inspect.signature(ours)))
        return ours(*arguments, **keywords)

    def _no_entries(self, *ignored):
        expected = "whole tensors: einsum, + - * / and functions"
        _refuse(f"{_called(self)} has no entries while it is traced", expected, hint="data of its own for a part")

    def __getattr__(self, name):
        raise AttributeError(f"a tensor that is traced has no '{name}', but shape, ndim, size, T, sum() and mean()")

    __getitem__ = __iter__ = __bool__ = __float__ = __int__ = __array__ = _no_entries


class Leaf(Tensor):
    """A tensor by its name: data, an unknown, a parameter, ones or identity."""

    def __init__(self, name, shape):
        super().__init__(shape)
        self.name = name

    def written(self, formula, labels, avoid):
        return formula.leaf(self.name, labels)


class Product(Tensor):
    """Factors times and over each other; letters that the result does not have are summed.

    subscripts: the letters of each operand, `out` those of the result; divides: which operands are divided by.
    """

    def __init__(self, operands, subscripts, out, letters=(), divides=None):
        extents = {}
        for operand, own in zip(operands, subscripts):
            extents.update(zip(own, _shape_of(operand)))
        super().__init__([extents[letter] for letter in out], operands, letters or out)
        self.subscripts, self.out, self.divides = subscripts, out, divides or [False] * len(operands)

    def is_mergeable(self):
        """Whether its factors may stand among those of another product: not where a quotient would need brackets."""
        return self.ndim > 0 and not any(own for own, divides in zip(self.subscripts, self.divides) if divides)

    def is_rearranged(self):
        """Whether it is a leaf with its axes in another order."""
        return len(self.operands) == 1 and isinstance(self.operands[0], Leaf) and sorted(self.out) == sorted(self.subscripts[0])

    def written(self, formula, labels, avoid):
        factors = []
        self._collect(formula, labels, set(labels) | avoid, factors)
        slots = collections.Counter(label for _, own, _ in factors for label in own)
        whole = self._joined(factors, slots, labels or tuple(slots))
        if labels or not slots:
            return whole
        if not whole.is_pure:  # a sum of it could be read in two ways, unless these labels stay within
            whole = whole.keeping(dict.fromkeys(label for piece, own, _ in factors if not piece.is_pure for label in own))
        return Piece(f"sum({whole.text})")

    @staticmethod
    def _joined(factors, slots, wanted):
        """One piece of all factors, with the labels that are wanted; `slots` counts how often each stands."""
        texts = []
        for piece, own, divides in factors:
            lonely = [label for label in own if slots[label] == 1 and label not in wanted]
            if lonely:  # what stands once is not summed by itself
                piece = Piece(f"sum[{','.join(lonely)}]({piece.text})")
            level = SUM if len(factors) == 1 else POWER if divides else PRODUCT
            texts.append(("/ " if divides else "* ") + piece.within(level))
        text = " ".join(texts)[2:].replace("-1 * ", "-", 1 if texts[0] == "* -1" else 0)
        must = frozenset(label for label in wanted if slots[label] == 1)
        seen = frozenset(label for piece, own, _ in factors for label in [*own, *piece.open])
        is_pure = all(piece.is_pure or not piece.open for piece, _, _ in factors)
        whole = Piece(text, factors[0][0].level if len(factors) == 1 else PRODUCT, must, seen - must, is_pure)
        return whole.keeping(wanted) if any(own and divides for _, own, divides in factors) else whole

    def _collect(self, formula, labels, used, factors):
        """Appends (piece, its labels, whether it divides) of all factors; `used`: labels in the product and around it."""
        names = dict(zip(self.out, labels))
        for operand, letters in zip(self.operands, self.subscripts):
            for axis, (letter, extent) in enumerate(zip(letters, _shape_of(operand))):
                if letter not in names:
                    names[letter] = formula.label(letter if letter.isalpha() else operand.letters[axis], extent, used)
                    used.add(names[letter])
        for operand, letters, divides in zip(self.operands, self.subscripts, self.divides):
            own = tuple(names[letter] for letter in letters)
            if isinstance(operand, Product) and operand.is_mergeable() and not divides and not formula.is_shared(operand):
                operand._collect(formula, own, used, factors)
                continue
            piece = formula.part(operand, own, used)
            if isinstance(operand, Product) and own and not formula.is_shared(operand):
                piece = Piece(f"({piece.text})[{','.join(own)}]", must=frozenset(own)) if piece.level < ATOM else piece
            elif len(set(own)) == len(own):
                piece = piece.keeping(own)
            used |= piece.open
            factors.append((piece, own, divides))


class Sum(Tensor):
    """One tensor plus or minus another one of the same shape, or a number."""

    def __init__(self, left, right, sign):
        operands = _alike(f"'{sign}'", left, right)
        super().__init__(_common_shape(operands), operands, _common_letters(operands))
        self.sign = sign

    def written(self, formula, labels, avoid):
        left, right = formula.alike(self.operands, labels, avoid)
        is_pure = left.is_pure and right.is_pure and all(_shape_of(operand) for operand in self.operands)
        text = f"{left.text} {self.sign} {right.within(PRODUCT if self.sign == '-' else SUM)}"
        return Piece(text, SUM, frozenset(labels), left.open | right.open, is_pure)


class Power(Tensor):
    """A tensor to the power of a number, or a number to the power of a tensor."""

    def __init__(self, base, exponent):
        operands = _alike("'**'", base, exponent)
        if not any(_is_number(operand) for operand in operands):
            _refuse("an exponent is a number", "a number", _called(operands[1]), "exp(y * log(x)) for x ** y")
        super().__init__(_common_shape(operands), operands, _common_letters(operands))

    def written(self, formula, labels, avoid):
        base, exponent = formula.alike(self.operands, labels, avoid)
        return Piece(f"{base.within(ATOM)}^{exponent.within(ATOM)}", POWER, frozenset(labels), base.open | exponent.open)


class Call(Tensor):
    """A function of the language: elementwise, or over the axes that are given, which stay where `keeps_axes`."""

    def __init__(self, name, operands, axes=(), keeps_axes=False):
        shape, letters = _common_shape(operands), _common_letters(operands)
        kept = [n for n in range(len(shape)) if keeps_axes or n not in axes]
        super().__init__([shape[n] for n in kept], operands, [letters[n] for n in kept])
        self.function, self.axes, self.kept = name, axes, kept

    def written(self, formula, labels, avoid):
        shape, letters = _common_shape(self.operands), _common_letters(self.operands)
        names, used = dict(zip(self.kept, labels)), set(labels) | avoid
        for n in self.axes:
            if n not in names:
                names[n] = formula.label(letters[n], shape[n], used)
                used.add(names[n])
        pieces = formula.alike(self.operands, tuple(names[n] for n in range(len(shape))), used)
        over = f"[{','.join(names[n] for n in self.axes)}]" if self.axes and self.kept else ""
        text = f"{self.function}{over}({', '.join(piece.text for piece in pieces)})"
        opens = frozenset().union(*(piece.open for piece in pieces)) if self.kept else frozenset()
        return Piece(text, ATOM, frozenset(labels), opens)


class Formula:
    """A traced scalar in the language of run files: `text`, and `definitions` of the tensors that stand in it more than once.

    used: names of the leaves in it.
    """

    def __init__(self, root, names):
        self.definitions, self.used = {}, set()
        self._taken, self._extents, self._slots, self._names = set(names), {}, [], {}
        self._uses = collections.Counter()
        self._count(root)
        self.text = self.part(root, (), set()).text

    def part(self, operand, labels, avoid):
        """The text of an operand whose axes have these labels. What is summed within it gets none of those to avoid."""
        if not isinstance(operand, Tensor):
            return Piece(_number(operand), ATOM if operand >= 0 else PRODUCT, is_pure=True)
        is_diagonal = len(set(labels)) < len(labels) and not isinstance(operand, Leaf)
        if self.is_shared(operand) or is_diagonal:
            return self.leaf(self._defined(operand), labels)
        return operand.written(self, labels, avoid)

    def alike(self, operands, labels, avoid):
        """The pieces of operands that have the same labels, or none; one that must have them keeps them in the others."""
        pieces = [self.part(operand, labels if _shape_of(operand) else (), avoid) for operand in operands]
        if frozenset().union(*(piece.must for piece in pieces)).issuperset(labels):
            return pieces
        return [piece.keeping(labels) if _shape_of(operand) else piece for piece, operand in zip(pieces, operands)]

    def leaf(self, name, labels):
        self.used.add(name)
        self._slots += [(name, axis, label) for axis, label in enumerate(labels)]
        once = frozenset(label for label in labels if labels.count(label) == 1)
        return Piece(f"{name}[{','.join(labels)}]" if labels else name, ATOM, once, frozenset(labels) - once, is_pure=True)

    def label(self, letter, extent, avoid):
        """A label of that extent: the letter, in small letters, unless it is taken."""
        wished = [letter.lower()] if letter else []
        for n in range(100):
            for label in [*wished, *(f"{c}{n or ''}" for c in "ijklmnopqstuvwxyzabcdefgh")]:
                if label not in avoid and self._extents.get(label, extent) == extent:
                    self._extents[label] = extent
                    return label
        raise AssertionError("thousands of labels in one product")

    def is_shared(self, tensor):
        is_plain = isinstance(tensor, Leaf) or (isinstance(tensor, Product) and tensor.is_rearranged())
        return tensor in self._names or (self._uses[tensor] > 1 and not is_plain)

    def extents_beside(self, data):
        """The extents of labels that no data have, nor an unknown where it stands with a label of data."""
        known = {label for name, _, label in self._slots if name in data}
        axes = set()
        while True:
            more = {(name, axis) for name, axis, label in self._slots if label in known and name not in _OF_ANY_EXTENT}
            if more == axes:
                break
            axes = more
            known |= {label for name, axis, label in self._slots if (name, axis) in axes}
        return {label: extent for label, extent in self._extents.items() if label not in known and self._is_used(label)}

    def _is_used(self, label):
        return any(label == other for _, _, other in self._slots)

    def _count(self, tensor):
        self._uses[tensor] += 1
        if self._uses[tensor] == 1:
            for operand in tensor.operands:
                if isinstance(operand, Tensor):
                    self._count(operand)

    def _defined(self, tensor):
        if tensor not in self._names:
            labels = self._labels_of(tensor)
            text = tensor.written(self, labels, set()).text
            name = self._free_name(tensor.variable or "part")
            self._names[tensor] = name
            self.definitions[f"{name}[{','.join(labels)}]" if labels else name] = text
        return self._names[tensor]

    def _labels_of(self, tensor):
        labels = []
        for letter, extent in zip(tensor.letters, tensor.shape):
            labels.append(self.label(letter, extent, set(labels)))
        return tuple(labels)

    def _free_name(self, wished):
        name, n = wished, 2
        while name in self._taken or name in _RESERVED:
            name, n = f"{wished}{n}", n + 1
        self._taken.add(name)
        return name


_OF_ANY_EXTENT = ("ones", "identity")


def _is_number(value):
    return isinstance(value, (numbers.Real, np.generic)) or (isinstance(value, np.ndarray) and value.ndim == 0)


def _shape_of(operand):
    return operand.shape if isinstance(operand, Tensor) else ()


def _operand(value):
    """A tensor, which learns the name of the variable that holds it, or a number."""
    if isinstance(value, Tensor):
        if value.variable is None:
            held = (name for name, other in _caller().f_locals.items() if other is value)
            value.variable = next((name for name in held if name.isascii() and name.isidentifier()), None)
        return value
    if _is_number(value):
        return _finite(float(value))
    if isinstance(value, np.ndarray) and (value == 1).all():
        return Leaf("ones", value.shape)
    if isinstance(value, np.ndarray) and value.ndim == 2 and np.array_equal(value, np.eye(len(value))):
        return Leaf("identity", value.shape)
    found = f"an array of shape {np.shape(value)}" if _is_array(value) else type(value).__name__
    hint = "trace(f, W=array): data of its own"
    _refuse("this is no part of a formula", "tensors that the function takes, and numbers", found, hint)


def _alike(what, *values):
    """Operands of one shape; numbers go with everything."""
    operands = [_operand(value) for value in values]
    shapes = [operand.shape for operand in operands if _shape_of(operand)]
    for operand in operands:
        if _shape_of(operand) and operand.shape != shapes[0]:
            hint = 'einsum("i,j->ij", a, np.ones(n)) to repeat the values of a along j'
            found = f"{operand.shape}, of {_called(operand)}"
            _refuse(f"{what} takes tensors of one shape: nothing is repeated by itself", str(shapes[0]), found, hint)
    return operands


def _common_shape(operands):
    return next((operand.shape for operand in operands if _shape_of(operand)), ())


def _common_letters(operands):
    """For each axis the first letter that the program has for it; tensors without any take them."""
    tensors = [operand for operand in operands if _shape_of(operand)]
    letters = tuple(next(filter(None, of_axis), None) for of_axis in zip(*(tensor.letters for tensor in tensors)))
    for tensor in tensors:
        if isinstance(tensor, Leaf) and not any(tensor.letters):
            tensor.letters = letters
    return letters


def _entrywise(left, right, divides=False):
    operands = _alike("'/'" if divides else "'*'", left, right)
    letters = _signs(len(_common_shape(operands)))
    subscripts = [letters if _shape_of(operand) else "" for operand in operands]
    return Product(operands, subscripts, letters, _common_letters(operands), [False, divides])


def _signs(count):
    """Subscripts of axes for which the program has no letters: no letters either, so that labels do not follow them."""
    return "".join(chr(0x2460 + n) for n in range(count))


def _near(name, names):
    return next(iter(difflib.get_close_matches(name, list(names), 1)), "")


def _listed(names):
    return ", ".join(names)


# ---- functions: of arrays, and of tensors that are traced --------------------------------------------------------------------


def einsum(subscripts, *operands, optimize=True):
    """numpy's einsum, with letters for all axes and no dots. optimize is passed on to numpy."""
    if not isinstance(subscripts, str):
        _refuse("subscripts are letters", "as in 'ir,jr->ij'", type(subscripts).__name__)
    if not _is_traced(operands):
        return np.einsum(subscripts, *operands, optimize=optimize)
    operands = [_operand(operand) for operand in operands]
    terms, arrow, out = subscripts.replace(" ", "").partition("->")
    terms = terms.split(",")
    letters = "".join(terms)
    if not (letters + out).isalpha() and letters + out:
        _refuse("subscripts are letters", "as in 'ir,jr->ij'", repr(subscripts))
    if len(terms) != len(operands):
        _refuse("subscripts for another number of operands", f"{len(operands)} groups of letters", repr(subscripts))
    if not arrow:
        out = "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    _check_subscripts(terms, operands)
    for n, letter in enumerate(out):
        if letter not in letters:
            _refuse(f"letter {letter} of the result is of no operand", _listed(dict.fromkeys(letters)), repr(subscripts))
        if letter in out[:n]:
            _refuse(f"letter {letter} stands twice in the result", "each letter once", repr(subscripts))
    for term, operand in zip(terms, operands):
        if isinstance(operand, Leaf) and not any(operand.letters):
            operand.letters = tuple(term)
    return Product(operands, terms, out)


def _check_subscripts(terms, operands, what=""):
    first = {}
    for term, operand in zip(terms, operands):
        shape = _shape_of(operand)
        if len(term) != len(shape):
            what = f"{_called(operand)} has {len(shape)} axes" if isinstance(operand, Tensor) else "a number has no axes"
            _refuse(what, f"{len(shape)} letters", repr(term))
        for axis, (letter, extent) in enumerate(zip(term, shape)):
            said = f"{extent}, of axis {axis} of {_called(operand)}"
            if first.setdefault(letter, (extent, said))[0] != extent:
                hint = "" if what else "another letter for one of them"
                _refuse(f"{what or f'letter {letter}'} has two extents", first[letter][1], said, hint)


def matmul(a, b):
    """The product of matrices, or of a matrix and a vector: a @ b."""
    if not _is_traced((a, b)):
        return np.matmul(a, b)
    a, b = _operand(a), _operand(b)
    orders = tuple(len(_shape_of(operand)) for operand in (a, b))
    if not set(orders) <= {1, 2}:
        _refuse("'@' is of matrices and vectors", "1 or 2 axes", f"{orders[0]} and {orders[1]}", "einsum")
    rows, shared, columns = _signs(3)
    terms = [rows * (orders[0] - 1) + shared, shared + columns * (orders[1] - 1)]
    _check_subscripts(terms, (a, b), "an axis of '@'")
    return Product([a, b], terms, (terms[0] + terms[1]).replace(shared, ""), (*a.letters[:-1], *b.letters[1:]))


def transpose(a, axes=None):
    """With the axes in another order; without `axes`, in the opposite one."""
    if not _is_traced((a,)):
        return np.transpose(a, axes)
    a = _operand(a)
    order = range(a.ndim)[::-1] if axes is None else _axes(a, axes)
    return Product([a], [_signs(a.ndim)], "".join(_signs(a.ndim)[n] for n in order), [a.letters[n] for n in order])


def sum(a, axis=None):
    """Over all axes, or over some."""
    if not _is_traced((a,)):
        return np.sum(a, axis)
    a = _operand(a)
    axes, letters = _axes(a, axis), _signs(a.ndim)
    kept = [n for n in range(a.ndim) if n not in axes]
    return Product([a], [letters], "".join(letters[n] for n in kept), [a.letters[n] for n in kept])


def inner(a, b):
    """The sum over all axes of the product of two tensors of one shape."""
    return sum(a * b) if _is_traced((a, b)) else np.sum(np.multiply(a, b))


def softmax(a, axis):
    """exp(a) over its sums along the axes."""
    if not _is_traced((a,)):
        powers = np.exp(a - np.max(a, axis, keepdims=True))
        return powers / np.sum(powers, axis, keepdims=True)
    return Call("softmax", [_operand(a)], _axes(a, axis), keeps_axes=True)


def _is_traced(values):
    return any(isinstance(value, Tensor) for value in values)


def _axes(a, axis):
    given = range(a.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    for n in given:
        if not isinstance(n, numbers.Integral) or not -a.ndim <= n < a.ndim:
            _refuse(f"{_called(a)} has no axis {n}", f"0 ... {a.ndim - 1}", repr(axis))
    return tuple(int(n) % a.ndim for n in given)


def _elementwise(name, of_arrays):
    def of_one(a):
        return Call(name, _alike(name, a)) if _is_traced((a,)) else of_arrays(a)

    def of_two(a, b):
        return Call(name, _alike(name, a, b)) if _is_traced((a, b)) else of_arrays(a, b)

    function = of_two if name in _OF_TWO else of_one
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} of each entry."
    return function


_OF_TWO = ("maximum", "minimum", "greater", "greater_equal", "equal")


def _over_axes(name, of_arrays):
    def function(a, axis=None):
        return Call(name, [_operand(a)], _axes(a, axis)) if _is_traced((a,)) else of_arrays(np.asarray(a), axis)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} over all axes, or over some."
    return function


def _logsumexp(a, axis):
    largest = np.max(a, axis, keepdims=True)
    return np.log(np.sum(np.exp(a - largest), axis)) + np.max(a, axis)


exp = _elementwise("exp", np.exp)
log = _elementwise("log", np.log)
sqrt = _elementwise("sqrt", np.sqrt)
square = _elementwise("square", np.square)
sin = _elementwise("sin", np.sin)
cos = _elementwise("cos", np.cos)
tanh = _elementwise("tanh", np.tanh)
sigmoid = _elementwise("sigmoid", lambda a: 1 / (1 + np.exp(-a)))
relu = _elementwise("relu", lambda a: np.maximum(a, 0))
abs = _elementwise("abs", np.abs)
sign = _elementwise("sign", np.sign)
maximum = _elementwise("maximum", np.maximum)
minimum = _elementwise("minimum", np.minimum)
greater = _elementwise("greater", lambda a, b: np.where(np.greater(a, b), 1.0, 0.0))
greater_equal = _elementwise("greater_equal", lambda a, b: np.where(np.greater_equal(a, b), 1.0, 0.0))
equal = _elementwise("equal", lambda a, b: np.where(np.equal(a, b), 1.0, 0.0))

mean = _over_axes("mean", np.mean)
norm = _over_axes("norm", lambda a, axis: np.sqrt(np.sum(np.square(a), axis)))
norm2 = _over_axes("norm2", lambda a, axis: np.sum(np.square(a), axis))
max = _over_axes("max", np.max)
min = _over_axes("min", np.min)
logsumexp = _over_axes("logsumexp", _logsumexp)

_OF_ENTRIES = (exp, log, sqrt, square, sin, cos, tanh, sigmoid, relu, abs, sign, maximum, minimum, greater, greater_equal, equal)
_OF_AXES = (sum, mean, norm, norm2, max, min, logsumexp, softmax)
_BY_NAME = {function.__name__: function for function in (*_OF_ENTRIES, *_OF_AXES, inner, einsum)}
_RESERVED = {*_BY_NAME, *_OF_ANY_EXTENT}
_UFUNCS = {
    **{function.__name__: function for function in _OF_ENTRIES if hasattr(np, function.__name__)},
    "absolute": abs,
    "matmul": matmul,
    "power": Power,
    "negative": lambda a: -a,
    "add": lambda a, b: Sum(a, b, "+"),
    "subtract": lambda a, b: Sum(a, b, "-"),
    "multiply": _entrywise,
    "divide": lambda a, b: _entrywise(a, b, divides=True),
}
_UFUNCS["true_divide"] = _UFUNCS["divide"]
_FUNCTIONS = {
    **{name: _BY_NAME[name] for name in ("einsum", "sum", "mean", "max", "min")},
    "amax": max,
    "amin": min,
    "transpose": transpose,
    "norm": lambda x, *, axis=None: norm(x, axis),
}


def __getattr__(name):
    hint = _near(name, _BY_NAME)
    raise AttributeError(f"tyto has no {name}; functions of tensors: {_listed(_BY_NAME)}" + (f"; try {hint}" if hint else ""))
