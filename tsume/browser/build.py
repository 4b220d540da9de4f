# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the solver in a browser, as texts."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from tsume import __version__

WORKER, API = "tsume-worker.js", "tsume.js"
_API_SCRIPTS = ("workers.js", "waiting.js", "pending.js", "solver.js", "tsume.js")
"""Joined, they are `API`: each uses the names of those before it."""
_COPIED = ("tsume.mjs", "tsume.d.ts", "tsume-worker.d.ts", "tsume-network.d.ts", "example.html")
_HEAD = "// tsume {version}, GPL-3.0-or-later. Built by scripts/wasm from the sources of tsume.\n"
_PROGRAM = """"use strict";
const TSUME_MANIFEST = {manifest};
const TsumeProgram = (function () {{
{scripts}
return {{ start, answer, events, network }};
}})();
{frame}"""
_WORKER = """(function () {{
  const program = {{ version: {version}, source: {source}, module: {module} }};
  if (typeof module === "object" && module.exports) module.exports = program;
  else globalThis.TsumeWorker = program;
}})();
"""


class CannotBuild(ValueError):
    """The files for browsers cannot be built on this machine; the message says what is missing."""


@dataclass(frozen=True)
class WorkerParts:
    """The parts of the worker program; only the frame (worker/worker.js) is not among them.

    ``scripts``, one after the other, define four functions: ``start({memory, module})``, which may return a
    promise, ``answer(kind, fields)``, ``events(kind, fields)``, which returns an iterable, and
    ``network(layout, bytes)``, which takes the network. They find ``manifest`` as the constant
    ``TSUME_MANIFEST``. ``module`` is the WebAssembly module.
    """

    scripts: Sequence[str]
    module: bytes
    manifest: dict[str, Any] = field(default_factory=dict)


def browser_files(parts: WorkerParts) -> dict[str, bytes]:
    """All files by name. `WORKER` and `API` have the same version, which depends on the parts."""
    version = f"{__version__}+{_parts_hash(parts)}"
    texts = {
        WORKER: worker_script(parts.scripts, parts.module, parts.manifest, version),
        API: _api_script(version),
        **{name: _source("api", name) for name in _COPIED},
    }
    return {name: text.encode() for name, text in texts.items()}


def worker_script(scripts: Sequence[str], module: bytes, manifest: dict[str, Any], version: str) -> str:
    """The script that defines ``TsumeWorker``: the text of the worker program, and the module beside it.

    The program is a string, so that a page only scans it and does not parse it. All is ASCII: pages that
    are opened as files may have any encoding. The module is compressed before it becomes base64: the file
    then has half the size where nothing compresses it (pages opened as files, many servers), and where a
    server does, it is a tenth to a quarter smaller, because base64 hides repetitions.
    """
    program = _PROGRAM.format(
        manifest=json.dumps(manifest), scripts="\n".join(scripts), frame=_source("worker", "worker.js")
    )
    encoded = base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    texts = {"version": version, "source": program, "module": encoded}
    return _HEAD.format(version=version) + _WORKER.format(
        **{name: _string(text) for name, text in texts.items()}
    )


def _api_script(version: str) -> str:
    from tsume.browser.network import network_version  # loads NumPy

    scripts = "\n".join(_source("api", name) for name in _API_SCRIPTS)
    for name, value in (("@VERSION@", version), ("@NETWORK@", network_version())):
        scripts = scripts.replace(name, value)
    return f'{_HEAD.format(version=version)}"use strict";\n(function () {{\n{scripts}}})();\n'


def _string(text: str) -> str:
    """A text as a JavaScript string that may also stand in a script element."""
    return json.dumps(text).replace("</", "<\\/")


def _source(folder: str, name: str) -> str:
    return (files("tsume.browser") / folder / name).read_text(encoding="utf-8")


def _parts_hash(parts: WorkerParts) -> str:
    digest = hashlib.sha256(parts.module)
    for text in (*parts.scripts, json.dumps(parts.manifest)):
        digest.update(text.encode())
    return digest.hexdigest()[:8]
