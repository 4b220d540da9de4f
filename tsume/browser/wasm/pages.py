# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory a WebAssembly module asks for."""

from __future__ import annotations

_IMPORTS = 2
_FUNCTION, _MEMORY = 0, 2
_HEADER_BYTES = 8
_WITH_MAXIMUM = 1


def memory_pages(wasm: bytes) -> int:
    """The least number of pages (64 KiB) of the memory that a module imports.

    Besides it may import functions. Raises ValueError if it imports anything else.
    """
    at = _HEADER_BYTES
    while at < len(wasm):
        section = wasm[at]
        size, at = _number(wasm, at + 1)
        if section == _IMPORTS:
            return _imported_memory(wasm, at)
        at += size
    raise ValueError("the module imports no memory")


def _imported_memory(wasm: bytes, at: int) -> int:
    count, at = _number(wasm, at)
    found = []
    for _ in range(count):
        for _ in range(2):  # the names of the module and of the field
            length, at = _number(wasm, at)
            at += length
        kind, at = wasm[at], at + 1
        if kind == _MEMORY and wasm[at] <= _WITH_MAXIMUM:
            has_maximum = wasm[at] == _WITH_MAXIMUM
            pages, at = _number(wasm, at + 1)
            found.append(pages)
            if has_maximum:
                at = _number(wasm, at)[1]
        elif kind == _FUNCTION:
            at = _number(wasm, at)[1]
        else:
            raise ValueError("the module imports more than functions and a memory that is not shared")
    if len(found) != 1:
        raise ValueError("the module does not import one memory")
    return found[0]


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number (LEB128) and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at
