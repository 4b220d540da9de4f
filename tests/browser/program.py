# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker program that searches nothing: it answers what the tests of the API need."""

from typing import Any

import numpy as np

from browser.files import WorkerParts

MODULE = bytes.fromhex("0061736d01000000") + bytes(
    [1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, *b"trap", 0, 0, 10, 5, 1, 3, 0, 0, 0x0B]
)
"""A module with one function, ``trap``, which cannot be executed to its end."""
SMALL_NETWORK: dict[str, np.ndarray[Any, Any]] = {
    "bias": np.array([1.5, -2], dtype=np.float16),
    "conditions 3": np.array([[7, -1]], dtype=np.int8),
}
"""Arrays in place of the generator's."""

_SCRIPT = """
const began = { starts: 0, order: [] };
let instance = null;

async function start({ memory, module }) {
  if (TSUME_MANIFEST.fails) throw new Error(TSUME_MANIFEST.fails);
  instance = await WebAssembly.instantiate(module);
  began.memory = memory;
  began.starts += 1;
}

function answer(kind, fields) {
  began.order.push(fields.sfen);
  const kinds = {
    solve: () => {
      if (fields.sfen === "nonsense") throw new Error("SFEN needs a board");
      const until = Date.now() + (fields.milliseconds ?? 0);
      while (Date.now() < until);
      return { sfen: fields.sfen, result: "mate", length: 1, line: ["G*5b"], error: null };
    },
    check: () => ({ grade: "sound", findings: [{ text: "\u7121\u99c4\u5408" }] }),
    tree: () => ({ ...fields }),
    explain: () => ({ ...began }),
    trap: () => instance.exports.trap(),
    overflow: () => [answer("overflow", fields)], // no tail call, which WebKit could follow forever
    generate: () => {
      if (fields.network === false || began.network) return { network: fields.network ?? began.network };
      throw Object.assign(new Error("the network is missing"), { name: "NetworkMissing" });
    },
    mistake: () => undefined.sfen,
    forever: () => { for (;;); },
  };
  return kinds[kind]();
}

function* events(kind, fields) {
  yield { event: "judgement", kind, ...fields };
  for (let number = 0; number < (fields.count ?? 0); number += 1) yield { event: "repair", number };
  if (kind !== "mend") answer(fields.then ?? kind, fields);
  yield { event: "end", complete: true };
}

function network(layout, bytes) {
  began.network = { layout, bytes: [...bytes] };
}
"""


def fake_parts(*, fails: str = "") -> WorkerParts:
    """The parts; with ``fails`` the program cannot be started, for that reason."""
    return WorkerParts([_SCRIPT], MODULE, {"fails": fails})
