"""The named networks of the comparison, made by the generators of PyPI's einsum_benchmark and, for the classes that it only
downloads, by small generators here. Everything is seeded; nothing depends on what a search finds."""
import itertools

import networkx
import numpy
from einsum_benchmark.generators import language_model, quantum_computing, structured
from einsum_benchmark.generators.random import connected_hypernetwork, connected_network, regular

from generators import circuit, cp, graphical_model, model_count, mpo_chain, tucker


def of_equation(equation, shapes):
    """Lists of labels and extents of an equation with its shapes."""
    numbers = {}
    terms, _, output = equation.partition("->")
    inputs = [[numbers.setdefault(c, len(numbers)) for c in term] for term in terms.split(",")]
    extents = {}
    for labels, shape in zip(inputs, shapes):
        for label, extent in zip(labels, shape):
            extents[label] = int(extent)
    return inputs, [numbers[c] for c in output], [extents[k] for k in range(len(numbers))]


def graph(edges, nodes, extent=2, output=()):
    """One tensor for each node, one label for each edge."""
    inputs = {node: [] for node in nodes}
    for label, (a, b) in enumerate(edges):
        inputs[a].append(label)
        inputs[b].append(label)
    return list(inputs.values()), list(output), [extent] * len(edges)


def grid(*dims, extent=2):
    g = networkx.convert_node_labels_to_integers(networkx.grid_graph(dims), ordering="sorted")
    return graph(list(g.edges), list(g.nodes), extent)


def qaoa(nodes, layers, seed):
    """An amplitude of QAOA for a maximal cut of a random 3-regular graph; diagonal gates make labels of many tensors."""
    g = networkx.random_regular_graph(3, nodes, seed=seed)
    counter = itertools.count()
    wires = [next(counter) for _ in range(nodes)]
    inputs = [[w] for w in wires]
    for _ in range(layers):
        inputs += [[wires[a], wires[b]] for a, b in sorted(g.edges)]
        for q in range(nodes):
            new = next(counter)
            inputs.append([wires[q], new])
            wires[q] = new
    inputs += [[w] for w in wires]
    return inputs, [], [2] * next(counter)


def peps(rows, columns, bond, physical):
    """The norm of a projected entangled pair state."""
    g = networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(rows, columns), ordering="sorted")
    edges, nodes = list(g.edges), list(g.nodes)
    inputs, extents = [], [bond] * (2 * len(edges)) + [physical] * len(nodes)
    for layer in range(2):
        for node in nodes:
            inputs.append([layer * len(edges) + k for k, e in enumerate(edges) if node in e] + [2 * len(edges) + node])
    return inputs, [], extents


def instances():
    """Name -> (inputs, output, extents)."""
    made = {
        "lattice_2d_12x12": grid(12, 12),
        "lattice_2d_20x20": grid(20, 20),
        "lattice_3d_4x4x4": grid(4, 4, 4),
        "lattice_3d_6x6x6": grid(6, 6, 6),
        "lattice_cyclic_10x10": of_equation(*structured.lattice((10, 10), cyclic=True, d_min=2, seed=1)),
        "tree_100": of_equation(*structured.tree(n=100, seed=1)),
        "tree_500": of_equation(*structured.tree(n=500, seed=2)),
        "matrix_chain_100": of_equation(*structured.matrix_chain(100, 10, 100, is_shuffle=True, seed=1)),
        "matrix_chain_1000": of_equation(*structured.matrix_chain(1000, 10, 100, is_shuffle=True, seed=2)),
        "regular_3_150": of_equation(*regular(150, 3, seed=2)),
        "regular_4_80": of_equation(*regular(80, 4, seed=3)),
        "regular_5_40": of_equation(*regular(40, 5, seed=4)),
        "network_40": of_equation(*connected_network(40, 3.5, number_of_output_indices=4, max_axis_size=6, seed=1)),
        "network_120": of_equation(*connected_network(120, 3, max_axis_size=4, seed=2)),
        "hypernetwork_40": of_equation(*connected_hypernetwork(
            40, 2.5, max_tensor_order=10, max_edge_order=5, number_of_output_indices=5, max_axis_size=4, seed=3)),
        "hypernetwork_100": of_equation(*connected_hypernetwork(
            100, 2.5, max_tensor_order=10, max_edge_order=5, number_of_output_indices=3, number_of_single_summation_indices=2,
            max_axis_size=3, seed=4)),
        "mps_inner_100": of_equation(*quantum_computing.matrix_product_state(n=100, seed=1)),
        "language_model_first_last": of_equation(*language_model.p_first_and_last(4, 5, 50)),
        "language_model_sliding": of_equation(*language_model.sliding_likelihood(2, 5, 30, 100)),
        "mpo_60": mpo_chain(60, 32, 4),
        "peps_5x5": peps(5, 5, 4, 2),
        "circuit_36_depth_12": circuit(36, 12, 1),
        "circuit_49_depth_16": circuit(49, 16, 2),
        "qaoa_24_p2": qaoa(24, 2, 1),
        "qaoa_40_p3": qaoa(40, 3, 2),
        "model_count_100": model_count(100, 240, 3, 1),
        "model_count_150": model_count(150, 300, 3, 2),
        "graphical_model_12x12": graphical_model(12, 12, 3, 1),
        "tucker_6": tucker(6, 40, 8),
        "cp_5": cp(5, 30, 12),
    }
    return made


def write(path, inputs, output, extents):
    """Extents, output and operands, one a line: what plan_path reads."""
    with open(path, "w", encoding="ascii") as file:
        for row in [extents, output, *inputs]:
            file.write(" ".join(map(str, row)) + "\n")
