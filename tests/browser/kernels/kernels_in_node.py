# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels as WebAssembly in Node.js, called with what the native ones are called with."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from browser.files import runtime_source
from browser.kernels import KernelModule, name_of
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import Arena
from tests.javascript.node import answers

LARGE = 1 << 20
"""Bytes of arrays that are not compared, as in the script."""
_SCRIPT = Path(__file__).with_name("calls.mjs")


@dataclass(frozen=True)
class Call:
    """What a call returned, and what its arguments held afterwards: bytes of arrays and records."""

    kernel: str
    result: Any
    after: list[bytes | None]
    search: list[int]


@dataclass
class Calls:
    """Native calls, recorded to be made again in Node.js."""

    engine: DfPnEngine | None = None
    questions: list[dict[str, Any]] = field(default_factory=list)
    native: list[Call] = field(default_factory=list)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """Call a kernel natively; its arguments are as they were when it is called again."""
        name = name_of(kernel)
        self.call_in_node(name, *arguments)
        result = kernel(*arguments)
        after = [_bytes_of(one) for one in arguments]
        self.native.append(Call(name, _plain(result), after, self._search()))
        return result

    def call_in_node(self, name: str, *arguments: Any) -> None:
        """Call a kernel in Node.js only."""
        self.questions.append({"kernel": name, "arguments": [self._encoded(one) for one in arguments]})

    def in_node(self, module: KernelModule, folder: Path, **options: Any) -> list[Call]:
        """The same calls by the module, in the same order."""
        found = self._answers(module, folder, options)
        return [
            Call(native.kernel, _decoded(one["result"]), list(map(_unpacked, one["after"])), _decoded(one["search"]))
            for native, one in zip(self.native, found[1:], strict=True)
        ]

    def memory_in_node(self, module: KernelModule, folder: Path, **options: Any) -> list[int]:
        """The bytes of the module's memory at the start and after each call."""
        return [one["bytes"] for one in self._answers(module, folder, options)]

    def errors_in_node(self, module: KernelModule, folder: Path) -> list[str]:
        """The errors that the calls raise there."""
        return [one["error"] for one in self._answers(module, folder, {})[1:]]

    def _answers(self, module: KernelModule, folder: Path, options: dict[str, Any]) -> list[Any]:
        script, wasm, manifest = (folder / name for name in ("runtime.js", "kernels.wasm", "manifest.json"))
        script.write_text(runtime_source(), encoding="utf-8")
        wasm.write_bytes(module.wasm)
        manifest.write_text(json.dumps(module.manifest), encoding="utf-8")
        setup = {"runtime": str(script), "wasm": str(wasm), "manifest": str(manifest), "options": options}
        return answers(str(_SCRIPT), [{**setup, **self._arena()}, *self.questions])

    def _arena(self) -> dict[str, Any]:
        if self.engine is None:
            return {}
        arena = self.engine._box
        names = {"search": "searches"}
        parts = [
            {"name": names.get(name, name), "type": _type_of(part), "shape": len(part)}
            for name, part in zip(Arena._fields, arena, strict=True)
            if part is not None
        ]
        search = DfPnEngine(table_bits=4)._search
        state = {name: int(search[name]) for name in search.dtype.names if search[name].shape == ()}
        return {"arena": parts, "state": state}

    def _encoded(self, value: Any) -> Any:
        match value:
            case Arena(pos=None):
                return {"searches": True}
            case Arena():
                return {"arena": self._encoded(value.pos)}
            case np.record() | np.void():
                if value.nbytes >= LARGE:
                    return {"element": "searches"}
                return {"record": True, "type": _type_of(value), "shape": 1, "bytes": _packed(value)}
            case np.ndarray():
                plain = {"type": _type_of(value), "shape": list(value.shape)}
                empty = value.dtype.names is None and not value.any()
                return plain if empty else {**plain, "bytes": _packed(value)}
            case int() if abs(value) >= 1 << 53:
                return {"integer": str(value)}
        return value

    def _search(self) -> list[int]:
        if self.engine is None:
            return []
        return [int(self.engine._search[name]) for name in ("nodes", "pn", "dn", "length")]


def _type_of(value: Any) -> str:
    from solver.engines.dfpn.kernel import arena
    from tsume_rules.kernel.state import POSITION

    if value.dtype.names is None:
        return str(value.dtype)
    layouts: dict[str, np.dtype[Any]] = {"POSITION": POSITION}
    for name in ("SEARCH", "FRAME", "CHILD", "ENTRY", "BARRED", "CANDIDATE"):
        layouts[name] = getattr(arena, name)
    names = tuple(value.dtype.names)
    return next(name for name, layout in layouts.items() if layout.names == names)


def _packed(value: Any) -> str:
    return str(base64.b64encode(value.tobytes()), "ascii")


def _unpacked(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def _bytes_of(value: Any) -> bytes | None:
    if isinstance(value, Arena):
        return None if value.pos is None else _bytes_of(value.pos)
    if isinstance(value, np.ndarray | np.void) and value.nbytes < LARGE:
        return value.tobytes()
    return None


def _plain(result: Any) -> Any:
    if isinstance(result, tuple):
        return [_plain(one) for one in result]
    return result.item() if isinstance(result, np.generic) else result


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(one) for one in value if one is not None]
    return int(value["integer"]) if isinstance(value, dict) else value


def same_calls(found: Sequence[Call], expected: Sequence[Call]) -> None:
    """Assert that two sequences of calls are the same."""
    for one, other in zip(found, expected, strict=True):
        assert one == other, one.kernel
