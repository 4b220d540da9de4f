# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts of the solver in a browser: their names, where they are found, and who builds them.

An installation brings them. A checkout builds them once after each change, by a child process of the package
`browser` beside this one, which is not installed, into the cache of the kernels.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tsume import __version__
from tsume.child_processes import child_command

if TYPE_CHECKING:
    import numpy as np

API, WORKER, NETWORK = "tsume.js", "tsume-worker.js", "tsume-network.js"
BUILT = Path(__file__).parent / "built"
"""The files of an installation. `scripts/wasm --wheel` builds them for the next wheel; git ignores them."""
ROOT = Path(__file__).parents[2]
BUILDER = ROOT / "browser"
"""The package that builds the files, in a checkout."""
CANNOT_BUILD = "the solver for browsers cannot be built: "
_PACKAGES = ("tsume_rules", "solver", "generator", "db", "tsume", "compiler", "browser")
_SCRIPT_SUFFIXES = {".js", ".mjs", ".ts", ".html"}

# --- finding the files, or having them built -------------------------------------------------------


def existing_files() -> dict[str, bytes] | None:
    """Return all files by name; None if they are not built."""
    return _stored_files(_cache_folder() if _is_checkout() else BUILT)


def build_files() -> dict[str, bytes]:
    """Return all files by name, built if necessary; none if that is impossible.

    Building takes a minute or two. Lines on stderr announce it, or say why it is impossible. Of several
    processes one builds; the others wait for it and find what it has built.
    """
    found = existing_files()
    if found is not None:
        return found
    with ExitStack() as stack:
        folder = _cache_folder() or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "built"
        command = _build_command(folder)
        if command is None:
            return {}
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            process.wait()
        return _stored_files(folder) or {}


def build_command() -> list[str] | None:
    """Return the command of a process that builds the files; None if it could not hand them over.

    Its standard input has to be a pipe to which nothing is written: it ends when the pipe is closed.
    """
    folder = _cache_folder()
    return _build_command(folder) if folder else None


def _build_command(folder: Path) -> list[str] | None:
    command = child_command("browser.__main__", "build_once", str(folder)) if _is_checkout() else None
    if command is None:
        click.echo(f"{CANNOT_BUILD}this installation has neither its files nor their sources", err=True)
    return command


def _is_checkout() -> bool:
    """Whether `browser` beside this package is ours: an installation may have another of this name."""
    return BUILDER.is_dir() and (ROOT / "pyproject.toml").is_file()


def _cache_folder() -> Path | None:
    """Return the folder for these sources in the kernels' cache; None if none can be written."""
    from tsume_rules.kernel.compile import cache_folder

    home = cache_folder()
    return None if home is None else home / "browser" / sources_hash()


def _stored_files(folder: Path | None) -> dict[str, bytes] | None:
    if folder is None:
        return None
    try:
        return {path.name: path.read_bytes() for path in folder.iterdir()}
    except OSError:  # there is none
        return None


@cache
def sources_hash() -> str:
    """Return a short hash of the version and of all that the files might be built from.

    Finding out which sources are used takes longer than building a little too often.
    """
    digest = hashlib.sha256(__version__.encode())
    sources = [path for package in _PACKAGES for path in (ROOT / package).rglob("*.*")]
    for path in sorted(sources):
        scripts = _SCRIPT_SUFFIXES if BUILDER in path.parents else ()
        if path.suffix in (".py", ".npz", *scripts):
            digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


# --- the generator's network, which pages load when they compose -----------------------------------

_NETWORK_FILE = package_files("generator.learned") / "network.npz"
_NETWORK_SCRIPT = """// The network of tsume, GPL-3.0-or-later. Built from {file}.
(function () {{
  const network = {{ version: {version}, layout: {layout}, data: {data} }};
  if (typeof module === "object" && module.exports) module.exports = network;
  else globalThis.TsumeNetwork = network;
}})();
"""
_LEVEL = 6
"""Of compression: higher ones gain nothing."""


@cache
def neural_network_version() -> str:
    """Return a short hash of the network's file."""
    return hashlib.sha256(_NETWORK_FILE.read_bytes()).hexdigest()[:8]


def network_as_script() -> bytes:
    """Return the script of the generator's network."""
    import numpy as np

    with _NETWORK_FILE.open("rb") as file, np.load(file) as arrays:
        return network_arrays_script(arrays)


def network_arrays_script(arrays: Mapping[str, np.ndarray[Any, Any]]) -> bytes:
    """Return the script that defines ``TsumeNetwork`` with arrays of half-precision numbers or of bytes.

    Its ``data`` are the elements of the arrays in ``layout`` (name, type, shape), one array after the other,
    compressed by gzip, as base64. Of numbers in half precision the high bytes come first, then the low ones:
    signs and exponents repeat themselves.
    """
    layout = [[name, array.dtype.name, list(array.shape)] for name, array in arrays.items()]
    content = b""
    for array in arrays.values():
        little = array.astype(array.dtype.newbyteorder("<"))
        content += little.reshape(-1, 1).view("u1")[:, ::-1].T.tobytes()
    data = base64.b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode()
    fields = {"version": neural_network_version(), "layout": layout, "data": data}
    texts = {name: json.dumps(value) for name, value in fields.items()}
    return _NETWORK_SCRIPT.format(file=_NETWORK_FILE.name, **texts).encode("ascii")
