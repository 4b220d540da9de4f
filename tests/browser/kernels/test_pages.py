# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory that a module asks for."""

from __future__ import annotations

import pytest

from browser.kernels import memory_pages

HEADER = b"\0asm\1\0\0\0"
FUNCTION, TABLE = b"\3env\3log\0\0", b"\3env\1t\1\x70\0\1"
MEMORY, MEMORY_TO_300, SHARED = b"\3env\1m\2\0\7", b"\3env\1m\2\1\x81\1\xac\2", b"\3env\1m\2\3\1\2"


def importing(*imports: bytes) -> bytes:
    content = bytes([len(imports)]) + b"".join(imports)
    return HEADER + b"\2" + bytes([len(content)]) + content


def test_one_memory_and_functions() -> None:
    assert memory_pages(importing(MEMORY)) == 7
    assert memory_pages(importing(FUNCTION, MEMORY_TO_300, FUNCTION)) == 129


@pytest.mark.parametrize("imports", [(), (FUNCTION,), (MEMORY, MEMORY), (SHARED,), (MEMORY, TABLE)])
def test_anything_else(imports: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match="the module"):
        memory_pages(importing(*imports))
