# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the first commands of a user from each wheel. Run through `scripts/try_wheels`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click

from scripts.wheels import wheel_tag

_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
_COMMANDS = {
    "solve": (["solve", _POSITION], "mate in 5: 4b3a+ 2b3a S*2b 3a2b 4d4b\n"),
    "check": (["check", _POSITION], "perfect in 5: "),
    "generate": (["generate", "-m", "3", "-n", "2", "--seed", "1"], ""),
    "warmup": (["warmup"], ""),
}
"""Arguments, and what is in the answer."""


@dataclass(frozen=True)
class Installed:
    """A wheel in an environment of its own, with a home of its own."""

    wheel: Path
    folder: Path

    @property
    def is_compiled(self) -> bool:
        """Whether the wheel has compiled kernels."""
        return not self.wheel.name.endswith("-py3-none-any.whl")

    @property
    def home(self) -> Path:
        """At first an empty folder."""
        return self.folder / "home"

    def install(self) -> None:
        """Make the environment and the home."""
        self.home.mkdir()
        subprocess.run([sys.executable, "-m", "venv", self.folder / "venv"], check=True)
        pip = [str(self._program("python")), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", str(self.wheel)], check=True)

    def answer(self, name: str) -> str:
        """Run a command and print its time: the answer. Raises if the answer or the way to it is wrong."""
        arguments, expected = _COMMANDS[name]
        started = time.monotonic()
        done = subprocess.run(
            [self._program("tsume"), *arguments],
            cwd=self.home, env=self._environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        click.echo(f"  {name}: {time.monotonic() - started:.1f} s")
        if done.returncode or expected not in done.stdout:
            raise click.ClickException(f"{self.wheel.name}: {arguments} answered\n{done.stdout}{done.stderr}")
        # A compiled wheel never compiles, the other before its first answer.
        errors = done.stderr
        stored = sorted(path.name for path in self.home.rglob("*.nb[ic]"))
        if self.is_compiled and (stored or "compiling" in errors):
            raise click.ClickException(f"{self.wheel.name}: {name} compiled {', '.join(stored)}\n{errors}")
        if not self.is_compiled and not stored:
            raise click.ClickException(f"{self.wheel.name}: {name} stored no compiled code")
        return done.stdout

    def _program(self, name: str) -> Path:
        return self.folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / name

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("NUMBA_", "PYTHON", "XDG_"))
        }
        return kept | {"HOME": str(self.home)}


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def try_wheels(folder: Path) -> None:
    """Try the wheels in FOLDER that are for this Python and this platform."""
    pure, compiled = (_only(folder, tag) for tag in ("py3-none-any", wheel_tag()))
    problems = {
        _answers(wheel, names)["generate"]
        for wheel, names in ((compiled, list(_COMMANDS)), (pure, ["solve", "check", "generate"]))
    }
    if len(problems) > 1:
        raise click.ClickException("the wheels compose different problems:\n" + "\n".join(problems))


def _only(folder: Path, tag: str) -> Path:
    found = list(folder.resolve().glob(f"*-{tag}.whl"))
    if len(found) != 1:
        raise click.ClickException(f"{folder} has {len(found)} wheels {tag}")
    return found[0]


def _answers(wheel: Path, names: list[str]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as name:
        installed = Installed(wheel, Path(name))
        installed.install()
        click.echo(wheel.name)
        return {name: installed.answer(name) for name in names}


if __name__ == "__main__":
    try_wheels()
