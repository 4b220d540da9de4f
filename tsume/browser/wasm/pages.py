"""How much memory a WebAssembly module asks for."""

from __future__ import annotations

_IMPORTS = 2
_MEMORY = 2
_HEADER_BYTES = 8
_WITH_MAXIMUM = 1


def memory_pages(wasm: bytes) -> int:
    """The least number of pages (64 KiB) of the memory that a module imports.

    Raises ValueError if it imports anything but one memory.
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
    for _ in range(2):  # the names of the module and of the field
        length, at = _number(wasm, at)
        at += length
    if count != 1 or wasm[at] != _MEMORY or wasm[at + 1] > _WITH_MAXIMUM:
        raise ValueError("the module imports more than a memory that is not shared")
    return _number(wasm, at + 2)[0]


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
