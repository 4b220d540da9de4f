"""The parts of the worker program: translated code with its runtime, and the module of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class CannotBuild(ValueError):
    """The files for browsers cannot be built on this machine; the message says what is missing."""


@dataclass(frozen=True)
class WorkerParts:
    """The parts of the worker program; only the frame (worker/worker.js) is not among them.

    ``scripts``, one after the other, define two functions: ``start({memory, module})``, which may return a
    promise, and ``answer(kind, fields)``. They find ``manifest`` as the constant ``TSUME_MANIFEST``.
    ``module`` is the WebAssembly module.
    """

    scripts: Sequence[str]
    module: bytes
    manifest: dict[str, Any] = field(default_factory=dict)


def worker_parts() -> WorkerParts:
    """Build the parts from the sources; raise `CannotBuild` without a linker."""
    raise CannotBuild("the kernels are not translated yet")


def translated_sources() -> list[Path]:
    """The files outside of this package and of the kernels that the parts are made from."""
    return []
