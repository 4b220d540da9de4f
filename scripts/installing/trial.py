# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs an install line in an empty home, then the program that it installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from scripts.installing.lines import InstallLine

_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
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
_SHOWN = 600


class Failed(Exception):
    """A line or the program that it installed failed; the message has the end of its output."""


@dataclass(frozen=True)
class Trials:
    """What all trials share: the address of the index, pipx and uv, a store, the version expected."""

    index: str
    tools: Path
    store: Path
    version: str

    def run(self, line: InstallLine) -> None:
        """Run an install line as it is written; raise `Failed` if anything does not work."""
        with tempfile.TemporaryDirectory() as name:
            home = Path(name)
            shutil.copy(self.store, home / "store.db")
            environment = self._environment(home, line.command)
            if line.command.startswith(("npm", "npx")):
                self._run_npm(home, environment, line.command)
                return
            told = _run(["sh", "-c", line.command], home, environment)
            if not line.command.startswith(("uvx", "uv tool run", "pipx run")):
                told = _run(["tsume", "--version"], home, environment)
                self._use(home, environment, line.extras)
            if self.version not in told:
                raise Failed(f"tsume --version says {told.strip()}, not {self.version}")

    def _environment(self, home: Path, command: str) -> dict[str, str]:
        """An environment without anything of this one, but for the network and the caches of downloads."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if name.upper().endswith(("_PROXY", "_CERT_FILE"))
        }
        folders = [home / ".local" / "bin", self.tools / "bin"]
        if command.startswith("pip ") or " -m pip " in command:
            _run([sys.executable, "-m", "venv", str(home / "env")], home, dict(os.environ))
            folders.insert(0, home / "env" / "bin")
        node = shutil.which("npm")
        folders += [Path(node).parent] if node else []
        cache = Path.home() / ".cache"
        return kept | {
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PATH": os.pathsep.join([*map(str, folders), "/usr/local/bin", "/usr/bin", "/bin"]),
            "PIP_CACHE_DIR": str(cache / "pip"),
            "PIP_NO_COMPILE": "1",  # faster, and changes nothing else
            "PIP_INDEX_URL": f"{self.index}/simple/",
            "UV_CACHE_DIR": str(cache / "uv"),
            "UV_INDEX_URL": f"{self.index}/simple/",
            "UV_PYTHON_DOWNLOADS": "never",
            "npm_config_cache": str(cache / "npm"),
            "npm_config_registry": f"{self.index}/npm/",
        }

    def _use(self, home: Path, environment: dict[str, str], extras: tuple[str, ...]) -> None:
        """Import the modules of extras and run a command that needs each."""
        program = shutil.which("tsume", path=environment["PATH"])
        if program is None:
            raise Failed("tsume is not on the PATH")
        python = Path(program).read_text(encoding="utf-8").splitlines()[0].removeprefix("#!").split()[0]
        _run([python, "-c", _IMPORTS, *extras], home, environment)
        for extra in extras:
            arguments, expected = _USES.get(extra, (("themes",), ""))
            told = _run(["tsume", *arguments], home, environment, fails=bool(expected))
            if not re.search(expected, told):
                raise Failed(f"tsume {arguments[0]} says {told.strip()[-_SHOWN:]}")

    def _run_npm(self, home: Path, environment: dict[str, str], command: str) -> None:
        (home / "package.json").write_text('{ "private": true }\n', encoding="utf-8")
        _run(["sh", "-c", command], home, environment)
        solved = f'new (require("tsume-shogi").Solver)().solve("{_POSITION}")'
        shown = "found => { console.log(found.length); process.exit(); }"
        told = _run(["node", "-e", f"{solved}.then({shown})"], home, environment)
        if told.strip() != "5":
            raise Failed(f"the solver in Node.js says {told.strip()}")


def _run(command: list[str], home: Path, environment: dict[str, str], *, fails: bool = False) -> str:
    """What a command prints. ``fails``: it may fail, and is ended after half a minute."""
    limit = 30 if fails else 1800
    process = subprocess.Popen(
        command, cwd=home, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        told, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.terminate()
        told, _ = process.communicate()
    if process.returncode and not fails:
        raise Failed(f"{' '.join(command)[:200]}: {told.strip()[-_SHOWN:]}")
    return told
