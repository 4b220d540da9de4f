# SPDX-License-Identifier: GPL-3.0-or-later
"""Golden outputs: whether this tree prints what a commit printed. Run through `scripts/golden`.

For changes of structure, which must change nothing that people see. The outputs are what a user of the
program meets: JSON lines of commands, composed problems, exported files, pages and API, a site, USI sessions.
Those of a commit are kept in build/golden. Search times, node rates and versions of scripts are left out;
all else is deterministic, as limits of time are far away.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "golden"
LONG = ("--time", "900")
"""A limit that no position reaches."""
PERFECT, SPOILED, MENDED = 420, 80, 12
"""Problems of the collection, those of them from which a piece is taken, and spoiled ones to mend."""
SEEDS = range(20)
LENGTHS = {"natural": (3, 5, 7, 9), "free": (1, 3, 5, 7, 9)}
COMPOSING = (
    "-m 3 --theme sacrifice", "-m 5 --theme non-promotion", "-m 5 --picture ト", "-m 3 --hand R",
    "-m 5 --pieces 7 --grade sound", "-m 3 --only RG", "-m 5 --key quiet",
    "-m 3 --region centre --no-promoted",
    "-m 3 --final 8k/7G1/7P1/9/9/9/9/9/9_w_-_1",
    "-m 5 --distinct-lines --min-quality 40", "-m 3 --stars 2",
)  # fmt: skip
FORMATS = ("sfen", "jsonl", "kif", "ki2", "csa", "jkf", "csv")
ONE_EACH = ("kif", "ki2", "jkf")
"""Formats of which a file holds one problem."""
ENGLISH_AND_JAPANESE = ("en", "ja")
PAGES = (
    "/", "/?moves=5&theme=sacrifice&order=score", "/compose", "/training", "/problems/1", "/problems/1.svg",
    "/problems/2/answer", "/problems/3/line", "/api", "/api/openapi.json", "/api/problems/1/tree",
    "/api/problems/4/position", "/api/progress", "/api/problems/999999/tree",
    "/?theme=unknown", "/nothing",
)  # fmt: skip
SFENS = (
    "6g1l/6k1p/4+BNnp1/9/9/9/9/9/9 b R 1", "9/3R4p/9/7pk/9/8S/6R2/9/9 b - 1", "8k/9/9/9/9/9/9/9/9 b G 1",
    "9/9/9/9/9/9/9/8+R/5Pk2 b B 1",
)  # fmt: skip
USI = (
    ("position sfen {0}", "go mate infinite"), ("position sfen {0} moves R*2b", "go mate infinite"),
    ("position sfen {0}", "go depth 3"), ("position sfen {2}", "go mate 5000"),
    ("position sfen {0}", "go mate infinite searchmoves 5c3a"), ("position sfen nonsense", "go mate 1000"),
)  # fmt: skip
_UNSTABLE = re.compile(
    r'"(?:seconds|nodes_per_second|elapsed)": ?[0-9.]+|\b(?:time|nps|hashfull) [0-9]+|\b127\.0\.0\.1:[0-9]+'
    r"|\?v=[0-9a-f]{12}"
)
Outputs = Iterator[tuple[str, str]]
"""Names of outputs and their lines."""


class Program:
    """The program of one tree, with a folder of its own for stores."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self._tree, self.folder = tree, folder
        entry = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]["tsume"]
        module, name = entry.split(":")
        self._command = [sys.executable, "-c", f"from {module} import {name}; {name}()"]
        self._environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0", "COLUMNS": "100"}

    def run(self, *arguments: object, stdin: str = "") -> str:
        """What a command prints on stdout, with its exit status; what it says on stderr only if it fails."""
        done = subprocess.run(
            [*self._command, *map(str, arguments)], input=stdin, capture_output=True, text=True,
            cwd=self.folder, env=self._environment, check=False,
        )  # fmt: skip
        failed = f"{done.stderr}\n" if done.returncode and not done.stdout else ""
        return f"{_UNSTABLE.sub('', done.stdout)}{failed}exit {done.returncode}\n"

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self._command, *map(str, arguments)], cwd=self.folder, env=self._environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def positions() -> list[str]:
    """Return problems of the collection, some of them also without the attacker's last piece on the board."""
    lines = (ROOT / "collection" / "problems.jsonl").read_text(encoding="utf-8").splitlines()
    sfens = [json.loads(line)["sfen"] for line in lines]
    spoiled = []
    for sfen in sfens[:SPOILED]:
        board, rest = sfen.split(" ", 1)
        board = re.sub(r"\d", lambda digit: " " * int(digit[0]), board)
        board = re.sub(r"\+?[A-JL-Z](?!.*[A-JL-Z])", " ", board)
        spoiled.append(f"{re.sub(' +', lambda spaces: str(len(spaces[0])), board)} {rest}")
    return [*sfens[:PERFECT], *spoiled]


def commands(program: Program) -> Outputs:
    """JSON lines and texts of the commands that read positions."""
    asked = positions()
    everything = "".join(f"{one}\n" for one in asked)
    few = "".join(f"{one}\n" for one in [*asked[:PERFECT:20], *asked[PERFECT::20]])
    yield "solve", program.run("solve", "--jsonl", *LONG, "-f", "-", stdin=everything)
    for name in ("check", "explain", "tree", "score"):
        yield name, program.run(name, "--jsonl", *LONG, "-f", "-", stdin=everything)
    mended = "".join(f"{one}\n" for one in [*asked[:PERFECT], *asked[PERFECT : PERFECT + MENDED]])
    yield "mend", program.run("mend", "--jsonl", *LONG, "--edits", 1, "-n", 2, "-f", "-", stdin=mended)
    yield "enrich", program.run("enrich", "--jsonl", *LONG, "--edits", 1, "-n", 2, "-f", "-", stdin=asked[0])
    for language in ENGLISH_AND_JAPANESE:
        for name in ("solve", "check", "explain", "tree", "score", "mend"):
            yield f"{name}-{language}", program.run(name, "--lang", language, *LONG, "-f", "-", stdin=few)
    for format_ in ONE_EACH:
        yield f"explain-{format_}", program.run("explain", "--format", format_, *LONG, asked[0])
    for name in ("show", "draw"):
        yield name, program.run(name, asked[0])


def composing(program: Program) -> Outputs:
    """Problems by seed, for each length and style, and for some wishes."""
    runs = [
        (style, f"-m {moves} --style {style} --seed {seed}")
        for style, lengths in LENGTHS.items() for moves in lengths for seed in SEEDS
    ]  # fmt: skip
    runs += [("wishes", f"{wishes} --seed {seed}") for wishes in COMPOSING for seed in (1, 2)]

    def composed(number: int) -> str:
        words = [word.replace("_", " ") for word in runs[number][1].split()]
        store = program.folder / f"{number}.db"
        return program.run("generate", "-n", 1, "-j", 1, "--jsonl", "--db", store, *words)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, words), text in zip(runs, pool.map(composed, range(len(runs))), strict=True):
            yield f"generate-{name}", f"{words}\n{text}"


def files(program: Program) -> Outputs:
    """What is exported from a store with the collection."""
    _collection(program)
    for format_ in FORMATS:
        to_folder = ("-o", f"exported/{format_}/") if format_ in ONE_EACH else ()
        exported = program.run("export", "--db", "c.db", "--format", format_, "-m", 5, *to_folder)
        yield f"export-{format_}", exported
        for path in sorted((program.folder / "exported" / format_).glob("*")):
            text = path.read_bytes().decode("utf-8", "backslashreplace")
            yield f"export-{format_}", f"> {path.name}\n{text}"
    yield "list", program.run("list", "--db", "c.db", "--limit", 200)
    yield "stats", program.run("stats", "--db", "c.db")
    yield "themes", program.run("themes")


def site(program: Program) -> Outputs:
    """Return the hashes of a site's files."""
    _collection(program)
    yield "site-command", program.run("site", "--db", "c.db", "-o", "site", "--limit", 40, "--lang", "both")
    for path in sorted((program.folder / "site").rglob("*")):
        if path.is_file():
            content = _UNSTABLE.sub("", path.read_bytes().decode("latin-1"))
            digest = hashlib.sha256(content.encode("latin-1")).hexdigest()
            yield "site", f"{digest} {path.relative_to(program.folder).as_posix()}\n"


def server(program: Program) -> Outputs:
    _collection(program)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = program.start("serve", "--db", "c.db", "--port", port, "--time", 900)
    ask = partial(_fetched, f"http://127.0.0.1:{port}")
    try:
        while True:
            if running.poll() is not None:
                raise click.ClickException("the server ended")
            with suppress(OSError):
                ask("/training")
                break
            time.sleep(0.3)
        for path in PAGES:
            yield "server", ask(path)
        for sfen in SFENS:
            for kind in ("judgement", "mending", "enriching"):
                fields = {"sfen": sfen} if kind == "judgement" else {"sfen": sfen, "edits": 1, "count": 1}
                yield "server", ask(f"/api/{kind}", fields)
        yield "server", ask("/api/generating", {"moves": 3, "seed": 4, "count": 1})
        yield "server", ask("/api/reading", {"text": f"{SFENS[0]} moves R*2b"})
        yield "server", ask("/api/judgement", {"sfen": "nonsense"})
    finally:
        running.terminate()
        running.wait(60)


def usi(program: Program) -> Outputs:
    for lines in USI:
        said = ["usi", "isready", "usinewgame", *(line.format(*SFENS) for line in lines)]
        with program.start("usi") as engine:
            assert engine.stdin
            assert engine.stdout
            engine.stdin.write("".join(f"{line}\n" for line in said))
            engine.stdin.flush()
            heard = [f"> {line}\n" for line in said]
            for line in engine.stdout:
                heard.append(_UNSTABLE.sub("", line))
                if line.startswith(("checkmate", "bestmove")):
                    break
            engine.stdin.write("quit\n")
            engine.stdin.close()
            yield "usi", "".join([*heard, *engine.stdout])


PARTS: dict[str, Callable[[Program], Outputs]] = {
    part.__name__: part for part in (commands, composing, files, site, server, usi)
}


def _collection(program: Program) -> None:
    if not (program.folder / "c.db").exists():
        program.run("import", "--collection", "--trusted", "--db", "c.db")


def _fetched(address: str, path: str, fields: object = None) -> str:
    data = None if fields is None else json.dumps(fields).encode()
    request = urllib.request.Request(address + path, data, {"Content-Type": "application/json", "Origin": address})
    try:
        with urllib.request.urlopen(request, timeout=900) as response:
            status, body = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, body = error.code, error.read()
    text = _UNSTABLE.sub("", body.decode("utf-8", "replace"))
    lines = [
        line for line in text.splitlines() if '"event": "progress"' not in line and '"event":"progress"' not in line
    ]
    return "\n".join([f"> {path} {'' if fields is None else json.dumps(fields)}", str(status), *lines, ""])


def write_outputs(tree: Path, folder: Path, parts: Iterable[str]) -> None:
    """Write the outputs of a tree, a file for each name in a folder for each part."""
    for part in parts:
        began = time.monotonic()
        shutil.rmtree(folder / part, ignore_errors=True)
        (folder / part).mkdir(parents=True)
        with TemporaryDirectory() as place:
            for name, text in PARTS[part](Program(tree, Path(place))):
                with (folder / part / f"{name}.txt").open("a", encoding="utf-8") as file:
                    file.write(text.replace(place, "PLACE").replace(str(tree), "TREE"))
        click.echo(f"{part}: {time.monotonic() - began:.0f} s", err=True)


def differences(old: Path, new: Path, part: str) -> Iterator[str]:
    """Yield the lines that differ, file by file, the first of each."""
    names = {path.name for folder in (old, new) for path in (folder / part).glob("*.txt")}
    for name in sorted(names):
        old_lines, new_lines = (
            path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            for path in (old / part / name, new / part / name)
        )
        if old_lines != new_lines:
            found = list(difflib.unified_diff(old_lines, new_lines, f"{part}/{name}", "now", n=0))
            yield from (line.rstrip("\n")[:400] for line in found[:12])
            yield f"... {sum(line[:1] == '+' for line in found) - 1} lines of {part}/{name} differ"


@click.command(help=(__doc__ or "").partition("\n")[0])
@click.argument("commit", default="HEAD")
@click.option("--part", "parts", multiple=True, type=click.Choice(list(PARTS)), help="Only these parts.")
def main(commit: str, parts: tuple[str, ...]) -> None:
    """Compare the working tree with a commit; exit status 1 if any output differs."""
    git = partial(subprocess.run, check=True, cwd=ROOT, capture_output=True, text=True)
    base = git(["git", "rev-parse", "--short=12", f"{commit}^{{commit}}"]).stdout.strip()
    chosen = parts or tuple(PARTS)
    missing = [part for part in chosen if not (KEPT / base / f"{part}.done").exists()]
    if missing:
        tree = KEPT / "tree"
        git(["git", "worktree", "add", "--force", "--detach", str(tree), base])
        try:
            for part in missing:
                write_outputs(tree, KEPT / base, [part])
                (KEPT / base / f"{part}.done").touch()
        finally:
            git(["git", "worktree", "remove", "--force", str(tree)])
    write_outputs(ROOT, KEPT / "now", chosen)
    found = [line for part in chosen for line in differences(KEPT / base, KEPT / "now", part)]
    for line in found:
        click.echo(line)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
