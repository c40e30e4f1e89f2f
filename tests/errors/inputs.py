"""Small data files, right and wrong, that the cases read; made anew for each so that no binary file needs to be kept."""
import pathlib
import struct


def npy(descr, shape, data, fortran_order=False):
    """The bytes of a .npy file of version 1."""
    extents = ", ".join(str(extent) for extent in shape) + ("," if len(shape) == 1 else "")
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': ({extents}), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def f8(shape, values):
    return npy("<f8", shape, struct.pack(f"<{len(values)}d", *values))


def ramp(*shape):
    """1, 2, 3, ... in that shape."""
    count = 1
    for extent in shape:
        count *= extent
    return f8(shape, [float(k + 1) for k in range(count)])


def operators():
    """Operators [left][right][out][in] of chains, by the end of a folder's name and by site."""
    z, raising, nan = [1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 0.0], float("nan")
    site = f8((1, 1, 2, 2), z)
    return {
        "": {0: site, 1: site},
        "_gap": {0: site, 2: site},
        "_twice": {0: site, "00": site},
        "_late": {2: site, 3: site},
        "_bonds": {0: ramp(1, 2, 2, 2), 1: ramp(3, 1, 2, 2)},
        "_open": {0: ramp(2, 1, 2, 2), 1: site},
        "_sites": {0: site, 1: ramp(1, 1, 2, 3)},
        "_short": {0: ramp(1, 2, 2), 1: site},
        "_raising": {0: f8((1, 1, 2, 2), raising), 1: site},
        "_nan": {0: site, 1: f8((1, 1, 2, 2), [1.0, 0.0, nan, -1.0])},
    }


def write_to(folder):
    nan, inf = float("nan"), float("inf")
    files = {
        "tensor.npy": ramp(2, 3, 4),
        "matrix.npy": ramp(3, 4),
        "square.npy": ramp(3, 3),
        "other.npy": ramp(5, 4),
        "short.npy": ramp(2, 3, 4)[:-9],
        "header_only.npy": ramp(2, 3, 4)[:40],
        "long.npy": ramp(2, 3, 4) + b"more",
        "text.npy": npy("|S4", (2, 3), b"abcd" * 6),
        "half.npy": npy("<f2", (2, 3), bytes(12)),
        "complex.npy": npy("<c16", (2, 3), bytes(96)),
        "objects.npy": npy("|O", (2,), b""),
        "future.npy": b"\x93NUMPY\x09\x00" + bytes(100),
        "nan.npy": f8((2, 3), [1, 2, nan, 4, nan, 6]),
        "infinite.npy": f8((2, 3), [1, 2, 3, 4, 5, -inf]),
        "both.npy": f8((2, 3), [1, inf, 3, nan, 5, -inf]),
        "empty.npy": b"",
        "huge_values.npy": f8((2, 2), [1e200, 2e200, 3e200, 4e200]),
        "tiny_values.npy": f8((2, 2), [1e-200, 2e-200, 3e-200, 4e-200]),
        "negative.npy": f8((2, 3, 4), [1.0] * 23 + [-0.5]),
        "zeros.npy": f8((2, 3, 4), [0.0] * 24),
        "nan_mask.npy": f8((2, 3, 4), [nan] + [1.0] * 23),
        "all_nan.npy": f8((2, 3), [nan] * 6),
        "nan_or_masked.npy": f8((2, 3), [1, 2, nan, 4, nan, 6]),
        "mask_of_nan.npy": f8((2, 3), [0, 0, 1, 0, 1, 0]),
        "negative_start.npy": f8((2, 2), [1, 2, -0.5, -4]),
        "of_other_shapes/A_0.npy": ramp(2, 2),
        "of_other_shapes/A_1.npy": ramp(4, 2),
        "of_other_shapes/unknowns/A_2.npy": ramp(4),
        "of_two_runs/A_0.npy": ramp(2, 2),
        "of_two_runs/A_1.npy": ramp(3, 2),
        "of_two_runs/unknowns/A_2.npy": ramp(4, 3),
        "state/psi[0].npy": ramp(1, 2, 2),
        "state/psi[1].npy": ramp(2, 2, 1),
        "state_of_other_bonds/psi[0].npy": ramp(1, 2, 2),
        "state_of_other_bonds/psi[1].npy": ramp(3, 2, 1),
        "complex_state/psi[0].npy": npy("<c16", (1, 2, 2), bytes(64)),
        "complex_state/psi[1].npy": npy("<c16", (2, 2, 1), bytes(64)),
        **{f"mpo{kind}/H[{k}].npy": tensor for kind, tensors in operators().items() for k, tensor in tensors.items()},
        "words.txt": b"the quick brown fox\njumps over the lazy dog\n",
        "picture.png": b"\x89PNG\r\n\x1a\n" + bytes(32),
        "bad_number.tns": b"# by hand\n1 1 1 2.5\n1 2 1 two\n",
        "ragged.tns": b"1 1 1 2.5\n1 2 3.5\n",
        "zero_based.tns": b"1 1 1 2.5\n0 2 1 3.5\n",
        "sparse.tns": b"1 1 1 2.5\n4 3 2 3.5\n",
        "file_in_the_way": b"a file, no folder\n",
        "full/notes.txt": b"keep me\n",
        "done/result.json": b"{}\n",
    }
    for name, content in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
