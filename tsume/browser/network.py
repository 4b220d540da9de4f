# SPDX-License-Identifier: GPL-3.0-or-later
"""The generator's network as a script for browsers, which load it when they compose."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

NETWORK = "tsume-network.js"
_FILE = files("generator.learned") / "network.npz"
_SCRIPT = """(function () {{
  const network = {{ version: {version}, layout: {layout}, data: {data} }};
  if (typeof module === "object" && module.exports) module.exports = network;
  else globalThis.TsumeNetwork = network;
}})();
"""
_HEAD = "// The network of tsume, GPL-3.0-or-later. Built from {name}.\n"
_LEVEL = 6
"""Of compression: higher ones gain nothing."""


@cache
def network_version() -> str:
    """A short hash of the network's file."""
    return hashlib.sha256(_FILE.read_bytes()).hexdigest()[:8]


def network_script() -> bytes:
    """The script of the generator's network."""
    with _FILE.open("rb") as file, np.load(file) as arrays:
        return script_of(arrays)


def script_of(arrays: Mapping[str, np.ndarray[Any, Any]]) -> bytes:
    """The script that defines ``TsumeNetwork`` with these arrays, of half-precision numbers or of bytes.

    Its ``data`` are the elements of the arrays in ``layout`` (name, type, shape), one array after the other,
    compressed by gzip, as base64. Of numbers in half precision the high bytes come first, then the low ones:
    signs and exponents repeat themselves.
    """
    layout = [[name, array.dtype.name, list(array.shape)] for name, array in arrays.items()]
    content = b"".join(map(_in_planes, arrays.values()))
    fields = {
        "version": network_version(),
        "layout": layout,
        "data": base64.b64encode(gzip.compress(content, _LEVEL, mtime=0)).decode(),
    }
    texts = {name: json.dumps(value) for name, value in fields.items()}
    return (_HEAD.format(name=_FILE.name) + _SCRIPT.format(**texts)).encode("ascii")


def _in_planes(array: np.ndarray[Any, Any]) -> bytes:
    """The bytes of the elements: first the highest of each, then the next."""
    little = array.astype(array.dtype.newbyteorder("<"))
    planes = little.reshape(-1, 1).view(np.uint8)[:, ::-1]
    return planes.T.tobytes()
