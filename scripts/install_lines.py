# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the install lines of pages and messages as they are written. Run through `scripts/install_lines`."""

from __future__ import annotations

import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from browser import PACKAGE_NAME

_ROOT = Path(__file__).parents[1]
_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
_SHOWN = 600


class InstallFailed(Exception):
    """A line or the program that it installed failed; the message has the end of its output."""


@click.command()
@click.option("--list", "only_list", is_flag=True, help="Only list the lines and where they are.")
@click.option("--match", metavar="TEXT", default="", help="Only lines that contain this text.")
def main(only_list: bool, match: str) -> None:
    """Run each line in an empty home, with the package built from this checkout."""
    lines = [line for line in install_lines(_ROOT) if match in line.command]
    if only_list:
        for line in lines:
            click.echo(f"{line.command}  # {', '.join(line.places)}")
        return
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder, files, tools = Path(name), Path(name) / "dist", Path(name) / "tools" / "bin"
        try:
            _run([sys.executable, "-m", "build", "--outdir", str(files)])
            if any(line.command.startswith("np") for line in lines):
                _run(["scripts/wasm", "--npm", str(files / "npm")])
                _run(["npm", "pack", "--pack-destination", str(files), str(files / "npm")])
            _run([sys.executable, "-m", "venv", str(tools.parent)])
            _run([str(tools / "pip"), "install", "--quiet", "pipx", "uv"])
            _run([sys.executable, "-m", "tsume", "import", _POSITION, "--db", str(folder / "store.db")])
        except InstallFailed as error:
            raise click.ClickException(str(error)) from None
        version = next(files.glob("*.whl")).name.split("-")[1]
        with serve_index(files) as index:
            for line in lines:
                start, result = time.monotonic(), "ok"
                try:
                    _try_line(line, index, tools, folder / "store.db", version)
                except InstallFailed as error:
                    failed += 1
                    result = f"failed: {error}"
                places, seconds = ", ".join(line.places), time.monotonic() - start
                click.echo(f"| `{line.command}` | {places} | {seconds:.0f} s | {result} |")
    if failed:
        raise click.ClickException(f"{failed} of {len(lines)} lines failed")


# --- install lines: commands that install this package ---------------------------------------------

_UV = r"uv (?:tool install|tool run|pip install|add)|uvx"
_TOOL = rf"(?:(?:python3? -m )?pip install|pipx (?:install|run|inject)|{_UV})"
_NODE_TOOL = r"(?:npm (?:install|i|add)|npx)"
_PACKAGE = rf"'?{re.escape(PACKAGE_NAME)}(?![\w.-]*/)(?:\[[^\]\s]*\])?(?:==[\w.]+)?'?"
_LINE = re.compile(rf"(?:{_TOOL}|{_NODE_TOOL})(?: +[-\w./=@]+)*? +{_PACKAGE}(?: +tsume[^`\"#\n()]*)?")
_WRAPPED = re.compile(r"`([^`\n]+)\n *([^`\n]+)`")
_SOURCES = ("tsume_rules", "solver", "generator", "db", "tsume")
_PAGES = ("README*.md", "CONTRIBUTING.md", "docs/**/*.md")


@dataclass(frozen=True)
class InstallLine:
    """A command, and where it is written (``file:line``)."""

    command: str
    places: tuple[str, ...]

    @property
    def extras(self) -> tuple[str, ...]:
        found = re.search(r"\[([^\]]*)\]", self.command)
        return tuple(found[1].split(",")) if found else ()


def install_lines(root: Path) -> list[InstallLine]:
    """Return every install line of a checkout, once."""
    known, places = extras(root), dict[str, list[str]]()
    pages = [path for pattern in _PAGES for path in sorted(root.glob(pattern))]
    sources = [path for package in _SOURCES for path in sorted((root / package).rglob("*.py"))]
    for path in [*pages, *sources]:
        for number, line in enumerate(unbroken_code(path.read_text(encoding="utf-8")).splitlines(), 1):
            for command in commands(line, known):
                places.setdefault(command, []).append(f"{path.relative_to(root).as_posix()}:{number}")
    return [InstallLine(command, tuple(found)) for command, found in sorted(places.items())]


def commands(line: str, known: list[str]) -> Iterator[str]:
    """Yield the install lines in a line of text; one for each known extra where a message leaves it open."""
    for found in _LINE.findall(line):
        named = known if "{extra}" in found else [""]
        yield from (found.strip().replace("{extra}", extra) for extra in named)


def unbroken_code(text: str) -> str:
    """Return a page whose inline code is not broken at the ends of lines; it keeps its number of lines."""
    return _WRAPPED.sub(r"`\1 \2`\n", text)


def extras(root: Path) -> list[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(set(project["optional-dependencies"]) - {"dev", "docs"})


# --- a local index for pip, uv and npm: this package from a folder, all others from elsewhere ------

_PYPI = "https://pypi.org/simple"
_NPM = "https://registry.npmjs.org"


@contextmanager
def serve_index(folder: Path) -> Iterator[str]:
    """Serve the files of a folder while the context lasts; gives the address of the server.

    ``/simple/`` is an index of Python packages (PEP 503), ``/npm/`` a registry for npm. Requests for other
    packages are redirected to the public ones.
    """

    class Handler(_Handler):
        files = folder

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    files: Path

    def do_GET(self) -> None:
        kind, _, rest = self.path.lstrip("/").partition("/")
        name = rest.strip("/")
        if kind == "files":
            self._send((self.files / Path(name).name).read_bytes(), "application/octet-stream")
        elif kind == "simple" and name == PACKAGE_NAME:
            self._send(simple_page(self.files).encode(), "text/html")
        elif kind == "npm" and name == PACKAGE_NAME:
            address = f"http://{self.headers['Host']}"
            self._send(json.dumps(npm_document(self.files, address)).encode(), "application/json")
        else:
            self.send_response(302)
            self.send_header("Location", f"{_PYPI}/{name}/" if kind == "simple" else f"{_NPM}/{name}")
            self.end_headers()

    def do_HEAD(self) -> None:  # uv asks for the size of a file first
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def simple_page(folder: Path) -> str:
    names = sorted(path.name for kind in ("*.whl", "*.tar.gz") for path in folder.glob(kind))
    links = "".join(f'<a href="/files/{html.escape(name)}">{html.escape(name)}</a>\n' for name in names)
    return f"<!DOCTYPE html>\n<title>{PACKAGE_NAME}</title>\n{links}"


def npm_document(folder: Path, address: str) -> dict[str, Any]:
    (path,) = folder.glob("*.tgz")
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        described = archive.extractfile("package/package.json")
        assert described is not None
        package = json.load(described)
    package["dist"] = {"tarball": f"{address}/files/{path.name}"}
    version = package["version"]
    return {"name": PACKAGE_NAME, "dist-tags": {"latest": version}, "versions": {version: package}}


# --- an install line in an empty home, then the program that it installed --------------------------

_NOWHERE = "127.0.0.1:1"
_USES = {
    "cluster": (("worker", f"tcp://{_NOWHERE}"), "the scheduler does not respond"),
    "parquet": (("export", "--format", "parquet", "-o", "set", "--db", "store.db"), ""),
    "postgresql": (("list", "--db", f"postgresql://nobody@{_NOWHERE}/nothing"), "connection failed"),
    "print": (("draw", _POSITION, "-o", "picture.png"), ""),
    "web": (("serve", "--port", "0", "--db", "store.db"), "http://127.0.0.1:|compiling"),
}
"""For each extra a command that needs it, and a pattern that it prints; `serve` compiles before it listens.

Of the other extras only the modules are imported.
"""
_IMPORTS = """
import importlib, sys
from tsume.extras import MODULES
for extra in sys.argv[1:]:
    for module in MODULES[extra]:
        importlib.import_module(module)
"""


def _try_line(line: InstallLine, index: str, tools: Path, store: Path, version: str) -> None:
    """Run an install line and the program as they are written; raise `InstallFailed` if anything does not work.

    ``index`` is the address of the local index, ``tools`` the folder of pipx and uv.
    """
    with tempfile.TemporaryDirectory() as name:
        home, command = Path(name), line.command
        shutil.copy(store, home / "store.db")
        # An environment without anything of this one, but for the network and the caches of downloads.
        folders = [home / ".local" / "bin", tools]
        if command.startswith("pip ") or " -m pip " in command:
            _run([sys.executable, "-m", "venv", str(home / "env")])
            folders.insert(0, home / "env" / "bin")
        if node := shutil.which("npm"):
            folders.append(Path(node).parent)
        cache, kept = Path.home() / ".cache", ("_PROXY", "_CERT_FILE")
        environment = {name: value for name, value in os.environ.items() if name.upper().endswith(kept)} | {
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PATH": os.pathsep.join([*map(str, folders), "/usr/local/bin", "/usr/bin", "/bin"]),
            "PIP_CACHE_DIR": str(cache / "pip"),
            "PIP_NO_COMPILE": "1",  # faster, and changes nothing else
            "PIP_INDEX_URL": f"{index}/simple/",
            "UV_CACHE_DIR": str(cache / "uv"),
            "UV_INDEX_URL": f"{index}/simple/",
            "UV_PYTHON_DOWNLOADS": "never",
            "npm_config_cache": str(cache / "npm"),
            "npm_config_registry": f"{index}/npm/",
        }
        if command.startswith(("npm", "npx")):
            (home / "package.json").write_text('{ "private": true }\n', encoding="utf-8")
            _run(["sh", "-c", command], home, environment)
            solved = f'new (require("tsume-shogi").Solver)().solve("{_POSITION}")'
            shown = "found => { console.log(found.length); process.exit(); }"
            printed = _run(["node", "-e", f"{solved}.then({shown})"], home, environment)
            if printed.strip() != "5":
                raise InstallFailed(f"the solver in Node.js says {printed.strip()}")
            return
        printed = _run(["sh", "-c", command], home, environment)
        if not command.startswith(("uvx", "uv tool run", "pipx run")):
            printed = _run(["tsume", "--version"], home, environment)
            _use(home, environment, line.extras)
        if version not in printed:
            raise InstallFailed(f"tsume --version says {printed.strip()}, not {version}")


def _use(home: Path, environment: dict[str, str], used: tuple[str, ...]) -> None:
    """Import the modules of extras and run a command that needs each."""
    program = shutil.which("tsume", path=environment["PATH"])
    if program is None:
        raise InstallFailed("tsume is not on the PATH")
    python = Path(program).read_text(encoding="utf-8").splitlines()[0].removeprefix("#!").split()[0]
    _run([python, "-c", _IMPORTS, *used], home, environment)
    for extra in used:
        arguments, expected = _USES.get(extra, (("themes",), ""))
        printed = _run(["tsume", *arguments], home, environment, fails=bool(expected))
        if not re.search(expected, printed):
            raise InstallFailed(f"tsume {arguments[0]} says {printed.strip()[-_SHOWN:]}")


def _run(
    command: list[str], home: Path = _ROOT, environment: dict[str, str] | None = None, *, fails: bool = False
) -> str:
    """Return what a command prints. ``fails``: it may fail, and is ended after half a minute."""
    process = subprocess.Popen(
        command, cwd=home, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        printed, _ = process.communicate(timeout=30 if fails else 1800)
    except subprocess.TimeoutExpired:
        process.terminate()
        printed, _ = process.communicate()
    if process.returncode and not fails:
        raise InstallFailed(f"{' '.join(command)[:200]}: {printed.strip()[-_SHOWN:]}")
    return printed


if __name__ == "__main__":
    main()
