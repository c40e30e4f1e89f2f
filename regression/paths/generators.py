"""Networks by generators that need no third party: lists of labels of the operands, those of the output, and the extents of all
labels. Everything is seeded."""
import itertools
import random


def circuit(qubits, depth, seed):
    """An amplitude of a circuit of one-qubit gates and two-qubit gates on neighbours of a square array, as random circuits have."""
    rng = random.Random(seed)
    columns = int(round(qubits**0.5))
    counter = itertools.count()
    wires = [next(counter) for _ in range(qubits)]
    inputs = [[w] for w in wires]
    for layer in range(depth):
        for q in range(qubits):
            new = next(counter)
            inputs.append([wires[q], new])
            wires[q] = new
        vertical, parity = layer % 2, layer // 2 % 2
        for q in range(qubits):
            other = q + (columns if vertical else 1)
            along = (q // columns if vertical else q % columns)
            if other >= qubits or along % 2 != parity or (not vertical and q % columns == columns - 1) or rng.random() < 0.1:
                continue
            a, b = next(counter), next(counter)
            inputs.append([wires[q], wires[other], a, b])
            wires[q], wires[other] = a, b
    inputs += [[w] for w in wires]
    return inputs, [], [2] * next(counter)


def model_count(variables, clauses, width, seed):
    """Random clauses over variables with weights, near ones preferred: one label of extent 2 for each variable."""
    rng = random.Random(seed)
    inputs = [[v] for v in range(variables)]
    for _ in range(clauses):
        first = rng.randrange(variables)
        chosen = {first}
        while len(chosen) < width:
            chosen.add((first + int(rng.gauss(0, variables / 12))) % variables)
        inputs.append(sorted(chosen))
    return inputs, [], [2] * variables


def graphical_model(rows, columns, states, seed):
    """Pairwise and single factors of a grid of variables, and a few long-range factors."""
    rng = random.Random(seed)
    number = {(i, j): i * columns + j for i in range(rows) for j in range(columns)}
    inputs = [[v] for v in number.values()]
    for (i, j), v in number.items():
        inputs += [[v, number[k]] for k in ((i + 1, j), (i, j + 1)) if k in number]
    for _ in range(rows):
        inputs.append(sorted(rng.sample(range(rows * columns), 3)))
    return inputs, [], [states] * (rows * columns)


def mpo_chain(sites, bond, physical):
    """<psi| H |psi> of a matrix product state and operator."""
    inputs, extents = [], []

    def label(extent):
        extents.append(extent)
        return len(extents) - 1

    bonds = [None] * 3
    for site in range(sites):
        up, down = label(physical), label(physical)
        new = [None] * 3 if site == sites - 1 else [label(bond), label(5), label(bond)]
        for row, own in enumerate(([up], [up, down], [down])):
            inputs.append([b for b in (bonds[row], new[row]) if b is not None] + own)
        bonds = new
    return inputs, [], extents


def tucker(order, extent, rank):
    """A Tucker model with its gradient by one factor: core, factors, data."""
    core = list(range(order))
    modes = list(range(order, 2 * order))
    inputs = [modes, core] + [[modes[k], core[k]] for k in range(1, order)]
    return inputs, [modes[0], core[0]], [rank] * order + [extent] * order


def cp(order, extent, rank):
    """A data tensor times all factors of a CP model but one, twice: a normal equation's right-hand side and Gram matrices."""
    modes, others, r, s = list(range(order)), list(range(order, 2 * order)), 2 * order, 2 * order + 1
    inputs = [modes] + [[modes[k], r] for k in range(1, order)] + [[others[k], r] for k in range(1, order)]
    inputs += [[others[k], s] for k in range(1, order)]
    return inputs, [modes[0], s], [extent] * (2 * order) + [rank] * 2
