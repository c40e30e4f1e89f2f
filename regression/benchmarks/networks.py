"""Thirty networks in the classes of the einsum benchmark (Blacher et al., NeurIPS 2024 data sets and benchmarks), by generators with
fixed seeds, and a path for each, which tyto's plan_path finds and every program is given."""
import math
import pathlib
import random
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "paths"))
from generators import circuit, cp, graphical_model, model_count, mpo_chain, tucker  # noqa: E402 the path comes first


def matrix_chain(count, smallest, largest, seed):
    rng = random.Random(seed)
    extents = [rng.randint(smallest, largest) for _ in range(count + 1)]
    inputs = [[k, k + 1] for k in range(count)]
    rng.shuffle(inputs)
    return inputs, [0, count], extents


def graph(edges, nodes, extents, output=()):
    """An operand for each node, a label for each edge."""
    inputs = {node: [] for node in nodes}
    for label, (a, b) in enumerate(edges):
        inputs[a].append(label)
        inputs[b].append(label)
    return list(inputs.values()), list(output), extents


def lattice(dims, extent, is_cyclic=False):
    nodes = [()]
    for size in dims:
        nodes = [(*node, k) for node in nodes for k in range(size)]
    edges = []
    for node in nodes:
        for axis, size in enumerate(dims):
            following = (*node[:axis], (node[axis] + 1) % size, *node[axis + 1 :])
            if node[axis] + 1 < size or (is_cyclic and size > 2):
                edges.append((node, following))
    return graph(edges, nodes, [extent] * len(edges))


def tree(count, smallest, largest, seed):
    """Each node under a random earlier one that has less than three neighbours; two labels stay open."""
    rng = random.Random(seed)
    degree, edges = [0] * count, []
    for node in range(1, count):
        above = rng.choice([k for k in range(node) if degree[k] < 3])
        edges.append((above, node))
        degree[above] += 1
        degree[node] += 1
    inputs, _, extents = graph(edges, range(count), [rng.randint(smallest, largest) for _ in edges])
    for node in (0, count - 1):
        inputs[node].append(len(extents))
        extents.append(rng.randint(smallest, largest))
    return inputs, [len(extents) - 2, len(extents) - 1], extents


def regular(count, degree, extent, seed):
    """Random pairs of the ends of edges, drawn again until no edge is a loop or double."""
    rng = random.Random(seed)
    while True:
        ends = [node for node in range(count) for _ in range(degree)]
        rng.shuffle(ends)
        edges = [tuple(sorted(pair)) for pair in zip(ends[::2], ends[1::2])]
        if len(set(edges)) == len(edges) and all(a != b for a, b in edges):
            return graph(edges, range(count), [extent] * len(edges))


def hypernetwork(count, labels, largest_edge, largest_extent, outputs, seed):
    """Labels on two or more operands, which a chain of the first ones connects."""
    rng = random.Random(seed)
    inputs = [[] for _ in range(count)]
    for label in range(labels):
        members = {label, label + 1} if label < count - 1 else set(rng.sample(range(count), 2))
        members |= set(rng.sample(range(count), rng.randint(0, largest_edge - 2)))
        for member in sorted(members):
            inputs[member].append(label)
    extents = [rng.randint(2, largest_extent) for _ in range(labels)]
    return inputs, sorted(rng.sample(range(labels), outputs)), extents


def mps_inner(sites, bond, physical):
    """<psi|phi> of two matrix product states."""
    inputs, extents, bonds = [], [], [None, None]
    for site in range(sites):
        shared = len(extents)
        extents.append(physical)
        for row in range(2):
            operand = [] if bonds[row] is None else [bonds[row]]
            operand.append(shared)
            if site + 1 < sites:
                bonds[row] = len(extents)
                extents.append(bond)
                operand.append(bonds[row])
            inputs.append(operand)
    return inputs, [], extents


def peps(rows, columns, bond, physical):
    """The norm of a projected entangled pair state."""
    flat, _, extents = lattice((rows, columns), bond)
    bonds, nodes = len(extents), len(flat)
    inputs = [[layer * bonds + k for k in labels] + [2 * bonds + n] for layer in range(2) for n, labels in enumerate(flat)]
    return inputs, [], [bond] * (2 * bonds) + [physical] * nodes


def fourier(qubits):
    """An amplitude of the quantum Fourier transform: phases are diagonal, so their labels pass through."""
    wires, inputs = list(range(qubits)), [[q] for q in range(qubits)]
    count = qubits
    for q in range(qubits):
        inputs.append([wires[q], count])
        wires[q] = count
        count += 1
        inputs += [[wires[q], wires[other]] for other in range(q + 1, qubits)]
    inputs += [[w] for w in wires]
    return inputs, [], [2] * count


def cut_ansatz(nodes, degree, layers, seed):
    """An amplitude of QAOA for a maximal cut; diagonal gates make labels of many operands."""
    edges, _, _ = regular(nodes, degree, 2, seed)
    ends = {}
    for node, labels in enumerate(edges):
        for label in labels:
            ends.setdefault(label, []).append(node)
    wires, count = list(range(nodes)), nodes
    inputs = [[w] for w in wires]
    for _ in range(layers):
        inputs += [[wires[a], wires[b]] for a, b in ends.values()]
        for q in range(nodes):
            inputs.append([wires[q], count])
            wires[q] = count
            count += 1
    inputs += [[w] for w in wires]
    return inputs, [], [2] * count


def instances():
    """Name -> (type, (inputs, output, extents))."""
    return {
        "matrix-chain-10": ("f64", matrix_chain(10, 200, 900, 1)),
        "matrix-chain-30": ("f64", matrix_chain(30, 100, 400, 2)),
        "matrix-chain-100": ("f32", matrix_chain(100, 40, 200, 3)),
        "mps-inner-100": ("f64", mps_inner(100, 64, 4)),
        "mps-inner-30": ("c128", mps_inner(30, 128, 4)),
        "mpo-chain-30": ("f64", mpo_chain(30, 64, 3)),
        "tree-60": ("f64", tree(60, 30, 90, 1)),
        "tree-150": ("f64", tree(150, 20, 60, 2)),
        "lattice-6x6": ("f64", lattice((6, 6), 6)),
        "lattice-8x10": ("f64", lattice((8, 10), 4)),
        "lattice-cyclic-5x5": ("f64", lattice((5, 5), 4, is_cyclic=True)),
        "lattice-3x3x4": ("f64", lattice((3, 3, 4), 3)),
        "peps-4x4": ("f64", peps(4, 4, 4, 2)),
        "peps-3x6": ("c128", peps(3, 6, 4, 2)),
        "regular-3-60": ("f64", regular(60, 3, 6, 1)),
        "regular-3-90": ("f32", regular(90, 3, 3, 2)),
        "regular-4-30": ("f64", regular(30, 4, 3, 3)),
        "regular-5-20": ("f64", regular(20, 5, 3, 4)),
        "hypernetwork-20": ("f64", hypernetwork(20, 28, 4, 5, 3, 1)),
        "hypernetwork-40": ("f64", hypernetwork(40, 48, 3, 5, 2, 2)),
        "hypernetwork-60": ("f64", hypernetwork(60, 68, 3, 4, 1, 3)),
        "model-count-75": ("f64", model_count(75, 180, 3, 1)),
        "model-count-90": ("f64", model_count(90, 190, 3, 2)),
        "graphical-model-8x8": ("f64", graphical_model(8, 8, 5, 1)),
        "circuit-25-depth-10": ("c128", circuit(25, 10, 1)),
        "circuit-30-depth-12": ("c128", circuit(30, 12, 2)),
        "fourier-18": ("c128", fourier(18)),
        "cut-ansatz-30": ("c128", cut_ansatz(30, 3, 3, 1)),
        "tucker-6": ("f64", tucker(6, 16, 8)),
        "cp-5": ("f64", cp(5, 24, 16)),
    }


def _write(path, rows):
    path.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows), encoding="ascii")


def flops(inputs, output, extents, pairs, dtype):
    """Of all pairs: twice the product of the extents of all labels of a pair, four times as many where numbers are complex."""
    values, total = [frozenset(labels) for labels in inputs], 0
    for left, right in pairs:
        joined = values[left] | values[right]
        total += math.prod(extents[k] for k in joined)
        values[left] = values[right] = frozenset()
        needed = frozenset(output).union(*values)
        values.append(joined & needed)
    return total * (8 if dtype[0] == "c" else 2)


def written(folder, plan_path):
    """Writes all of them and their paths; name -> (arguments, flops)."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, (dtype, (inputs, output, extents)) in instances().items():
        network, path = folder / f"{name}.txt", folder / f"{name}.pairs"
        _write(network, [extents, output, *inputs])
        said = subprocess.run([plan_path, network], check=True, capture_output=True, text=True).stdout.split()
        numbers = list(map(int, said[1:]))
        pairs = list(zip(numbers[::2], numbers[1::2]))
        _write(path, pairs)
        made[name] = ({"network": network, "pairs": path, "dtype": dtype}, flops(inputs, output, extents, pairs, dtype))
    return made
