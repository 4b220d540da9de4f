# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of kernels with damaged arguments: each must be refused before anything is read or written."""

import random
from functools import cache
from typing import Any

import numpy as np

from tests.fuzzing.promise import Broken
from tsume_rules.kernel.compile import Array, Kernel, Record, Scalar, Tuple, Type, kernel_of, layout_of

REFUSALS = (TypeError, ValueError, BufferError, OverflowError)
_OTHER = np.dtype([("key", np.int64), ("cells", np.int8, (3,))])


def check_call(seed: int) -> None:
    """Call some kernel with one argument damaged. Raises `Broken` if the call is not refused."""
    rng = random.Random(seed)
    function = rng.choice(called_kernels())
    kernel: Kernel = function.kernel
    given = {name: valid_argument(kind) for name, kind in kernel.arguments.items()}
    name = rng.choice(list(given))
    given[name] = damaged_argument(given[name], kernel.arguments[name], rng)
    try:
        function(*given.values())
    except REFUSALS:
        return
    raise Broken(f"{kernel.name} took {given[name]!r} for {name}")


@cache
def called_kernels() -> list[Any]:
    """The functions by which Python calls kernels of the program that take arguments."""
    import generator.learned.kernel.network
    import generator.local_search.kernel.walk
    import generator.reverse.kernel.unmoves
    import solver.engines.dfpn.kernel.sound
    import solver.engines.iterative.kernel.search
    import tsume_rules.kernel.move_generation
    import tsume_rules.kernel.state

    modules = (
        generator.learned.kernel.network, generator.local_search.kernel.walk, generator.reverse.kernel.unmoves,
        solver.engines.dfpn.kernel.sound, solver.engines.iterative.kernel.search,
        tsume_rules.kernel.move_generation, tsume_rules.kernel.state,
    )  # fmt: skip
    found = {
        kernel.name: value
        for module in modules for value in vars(module).values()
        if (kernel := kernel_of(value)) is not None and kernel.returns is not None and kernel.arguments
    }  # fmt: skip
    return [found[name] for name in sorted(found)]


def valid_argument(kind: Type) -> Any:
    """An argument of a type, all zeros."""
    match kind:
        case Scalar("none"):
            return None
        case Scalar("float64" | "float32"):
            return 0.0
        case Scalar():
            return 0
        case Record():
            return np.zeros(1, kind.layout)[0]
        case Array():
            shape = [*kind.least, *[4] * kind.dimensions][: kind.dimensions]
            return np.zeros(shape, layout_of(kind))
        case Tuple():
            members = [valid_argument(one) for one in kind.members]
            return kind.named(*members) if kind.named else tuple(members)


def damaged_argument(value: Any, kind: Type, rng: random.Random) -> Any:
    """Something that is not of the type, however like it."""
    match kind:
        case Scalar("none"):
            return rng.choice([0, "0", np.zeros(1)])
        case Scalar("float64" | "float32"):
            return rng.choice([None, "0", np.zeros(2), [0.0]])
        case Scalar():
            return rng.choice([None, "0", 0.5, np.float64(1.5), 1 << 64, -(1 << 64), np.zeros(2, np.int64), [0], b"\0"])
        case Record():
            others: list[Any] = [None, 0, np.zeros(1, _OTHER)[0], np.zeros(1, kind.layout), bytes(kind.layout.itemsize)]
            return rng.choice([*others, np.int64(0), np.zeros(kind.layout.itemsize, np.int8)])
        case Array():
            return rng.choice(damaged_arrays(value, kind))
        case Tuple():
            number = rng.randrange(len(kind.members))
            members = list(value)
            members[number] = damaged_argument(members[number], kind.members[number], rng)
            made = value._make(members) if kind.named else tuple(members)
            return rng.choice([made, made, made, tuple(value), value[:-1], None, 0])


def damaged_arrays(value: np.ndarray, kind: Array) -> list[Any]:
    """Arrays of other elements, dimensions, lengths and orders than a given one, and what is none."""
    frozen = value.copy()
    frozen.flags.writeable = False
    found: list[Any] = [None, 0, value.tolist(), value.tobytes(), value.data, frozen, value[None], value.sum]
    found += [value.reshape(-1)[0], np.zeros(value.shape, _OTHER), value.astype(object)]
    found.append(np.zeros((*value.shape[:-1], 2 * value.shape[-1]), value.dtype)[..., ::2])
    if isinstance(kind.element, Scalar):
        others = (np.int8, np.int16, np.uint32, np.int64, np.uint64, np.float32, np.float64, np.bool_)
        found += [value.astype(one) for one in others if np.dtype(one) != value.dtype]
        if value.dtype.itemsize > 1:
            found.append(value.astype(value.dtype.newbyteorder()))
    if kind.dimensions > 1:
        found += [np.asfortranarray(np.zeros((3, 5, 2)[: kind.dimensions], value.dtype)), value.reshape(-1)]
    found += [value[: least - 1] for least in kind.least[:1]]
    return found
