"""Plots of measured numbers over size, rank and order: plots.py RESULTS.json FOLDER writes SVG files there. Needs matplotlib."""
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 the backend comes first

# Each figure: file, title of the axis, key of the axis, and panels of a title and a condition on an entry's family and arguments.
_FIGURES = [
    ("benchmarks-size", "size s of each mode", "s", [
        ("Gauss-Newton product of CP, R = s", lambda f, a: f == "gauss-newton" and a["rank"] == a["s"]),
        ("CP-ALS sweep, order 3, R = s", lambda f, a: f == "sweep" and a["order"] == 3 and a["rank"] == a["s"] and a["cycle"] == 1),
        ("Tucker, order 3, R = s/2", lambda f, a: f == "ttmc" and a["order"] == 3 and 2 * a["rank"] == a["s"]),
    ]),
    ("benchmarks-rank", "rank R", "rank", [
        ("CP-ALS sweep, order 3, s = 200", lambda f, a: f == "sweep" and a["order"] == 3 and a["s"] == 200),
        ("Tucker, order 3, s = 200", lambda f, a: f == "ttmc" and a["order"] == 3 and a["s"] == 200),
    ]),
    ("benchmarks-order", "order N", "order", [
        ("CP-ALS sweep, R = 16, s = 160, 45, 21, 13", lambda f, a: f == "sweep" and a["rank"] == 16 and (a["order"], a["s"]) in _ORDERS),
        ("Tucker, R = 8, s = 160, 45, 21, 13", lambda f, a: f == "ttmc" and a["rank"] == 8 and (a["order"], a["s"]) in _ORDERS),
    ]),
]
_ORDERS = ((3, 160), (4, 45), (5, 21), (6, 13))


def _numbers(arguments):
    return {key: int(value) for key, value in arguments.items() if value.isdigit()}


def _series(results, key, belongs):
    """Program -> points (x, fraction of the peak), sorted."""
    series = {}
    for entry in results["cases"]:
        arguments = _numbers(entry["arguments"])
        if not belongs(entry["family"], arguments):
            continue
        for name, program in entry["programs"].items():
            series.setdefault(name, []).append((arguments[key], program["fraction"]))
    return {name: sorted(points) for name, points in series.items()}


def _draw(axes, title, label, key, series):
    for name, points in sorted(series.items(), key=lambda item: item[0] != "tyto"):
        style = {"linewidth": 2, "color": "black"} if name == "tyto" else {"linewidth": 1}
        axes.plot(*zip(*points), marker="o", markersize=3, label=name, **style)
    ticks = sorted({x for points in series.values() for x, _ in points})
    if key != "order":
        axes.set_xscale("log", base=2)
    axes.set_xticks(ticks, [str(x) for x in ticks])
    axes.minorticks_off()
    axes.set(title=title, xlabel=label, ylim=(0, None))
    axes.title.set_fontsize(9)
    if series:
        axes.legend(fontsize=7)


def main():
    results = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    # Text stays text, and the same numbers give the same file.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "tyto", "font.size": 8})
    for file, label, key, panels in _FIGURES:
        figure, axes = pyplot.subplots(1, len(panels), figsize=(3.4 * len(panels), 2.8), squeeze=False)
        for place, (title, belongs) in zip(axes[0], panels):
            _draw(place, title, label, key, _series(results, key, belongs))
        axes[0][0].set_ylabel("formula flops / time, of the peak")
        figure.tight_layout()
        figure.savefig(folder / f"{file}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
