"""`scripts/bench browser`: the kernels as WebAssembly, in Node.js, against the native ones."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click

from scripts.measuring.options import FILE
from scripts.measuring.position_files import files_or_default, read
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import CANDIDATES
from solver.engines.dfpn.memory import CHILDREN, FRAMES, SCRATCH
from solver.engines.dfpn.methods import DEFAULT_METHOD
from tsume.browser import runtime
from tsume.browser.wasm.build import KernelModule, build_module
from tsume.browser.wasm.entries import called_by
from tsume_rules.packing import pack_all

_SCRIPT = Path(__file__).with_suffix(".mjs")
_SOURCES = ("solver.engines.dfpn.engine", "tsume_rules.packing")
_NODES = 1_000_000


@dataclass(frozen=True)
class Searched:
    """A position: the length found, the nodes and the seconds that took."""

    length: int
    nodes: int
    seconds: float


@click.command()
@click.option("--number", default=200, show_default=True, help="Positions of each file.")
@click.option("--repeat", default=5, show_default=True, help="Repeats; the medians count.")
@click.option("--last", default=15, show_default=True, help="Plies up to which a mate is looked for.")
@click.option("--table-bits", default=16, show_default=True, help="The table has 2 ** so many entries.")
@click.argument("files", nargs=-1, type=FILE)
def browser(files: tuple[Path, ...], number: int, repeat: int, last: int, table_bits: int) -> None:
    """The shortest mates of positions by WebAssembly and by native kernels: times and differences.

    Each search starts from an empty table. Without FILES, those beside the project.
    """
    called = called_by(_SOURCES)
    module = build_module(called.kernels, called.records)
    click.echo(f"module: {len(module.wasm)} bytes, {len(gzip.compress(module.wasm, 9))} compressed")
    for path in files_or_default(files):
        records = pack_all([named.position for named in read(path, number)])
        engine = DfPnEngine(table_bits=table_bits)
        native = [_native_round(engine, records, last) for _ in range(repeat)]
        there = _in_node(module, _task(engine, records, last, repeat))
        click.echo(f"{path.name}: {_text(_medians(native), _medians(there))}")


def _native_round(engine: DfPnEngine, records: Any, last: int) -> list[Searched]:
    found = []
    for number in range(len(records)):
        nodes, began = engine.nodes, time.perf_counter()
        [length] = engine.short_lengths(records[number : number + 1], last, _NODES).tolist()
        found.append(Searched(length, engine.nodes - nodes, time.perf_counter() - began))
    return found


def _task(engine: DfPnEngine, records: Any, last: int, repeat: int) -> dict[str, Any]:
    method = DEFAULT_METHOD
    names = ("frontier", "estimate", "extension", "leaves", "sums", "loops")
    state = {name: getattr(method, name).value for name in names}
    return {
        "sizes": {
            "table": engine.places, "frames": FRAMES, "kids": CHILDREN, "candidates": CANDIDATES,
            "buf": SCRATCH,
        },
        "state": {**state, "stamp": 1, "epoch": 1},
        "positions": base64.b64encode(records.tobytes()).decode(),
        "last": last, "nodes": _NODES, "repeat": repeat,
    }  # fmt: skip


def _in_node(module: KernelModule, task: dict[str, Any]) -> list[list[Searched]]:
    with tempfile.TemporaryDirectory() as name:
        wasm, manifest = Path(name) / "kernels.wasm", Path(name) / "manifest.json"
        wasm.write_bytes(module.wasm)
        manifest.write_text(json.dumps(module.manifest), encoding="utf-8")
        task |= {"runtime": runtime.source(), "wasm": str(wasm), "manifest": str(manifest)}
        done = subprocess.run(
            ["node", str(_SCRIPT)], input=json.dumps(task), capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise click.ClickException(done.stderr)
    return [[Searched(*one) for one in found] for found in json.loads(done.stdout)["rounds"]]


def _medians(rounds: list[list[Searched]]) -> list[Searched]:
    """Each position with the median of its times."""
    return [
        Searched(tries[-1].length, tries[-1].nodes, median(one.seconds for one in tries))
        for tries in zip(*rounds, strict=True)
    ]


def _text(native: list[Searched], there: list[Searched]) -> str:
    pairs = list(zip(native, there, strict=True))
    lengths = sum(one.length != other.length for one, other in pairs)
    nodes = sum(one.nodes != other.nodes for one, other in pairs)
    ratio = median(other.seconds / one.seconds for one, other in pairs)
    ours, theirs = sum(one.seconds for one in native), sum(one.seconds for one in there)
    return (
        f"{len(pairs)} positions, native {ours * 1000:.0f} ms, WebAssembly {theirs * 1000:.0f} ms "
        f"({theirs / ours:.2f}), median ratio {ratio:.2f}; {lengths} other lengths, {nodes} other nodes"
    )
