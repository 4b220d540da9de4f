# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the sdist and a wheel for each platform, and tries the wheels.

Run through `scripts/wheels` and `scripts/try_wheels`.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import click
import lief

from compiler.build import PLATFORMS, build_library, platform_here
from tsume_rules.kernel.compile import PROGRAM

_ROOT = Path(__file__).parents[1]
_BUILD = [sys.executable, "-m", "build", "--no-isolation"]


# --- `scripts/wheels` ------------------------------------------------------------------------------


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--platform", "platforms", type=click.Choice(list(PLATFORMS)), multiple=True,
    help="Platform to build a wheel for; can be repeated. By default all.",
)  # fmt: skip
def wheels(folder: Path, platforms: tuple[str, ...]) -> None:
    """Build the sdist and a wheel for each platform into FOLDER."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, "-m", "browser", "--wheel"])
    _run([*_BUILD, "--sdist", "--outdir", str(folder)])
    wanted = platforms or tuple(PLATFORMS)
    with tempfile.TemporaryDirectory() as place:
        every, some = Path(place, "every"), Path(place, "kernels")
        build_library(PROGRAM, every, [target for one in wanted for target in PLATFORMS[one]])
        for one in wanted:
            shutil.rmtree(some, ignore_errors=True)
            some.mkdir()
            for name in ("calls.py", *(target.file for target in PLATFORMS[one])):
                shutil.copy(every / name, some)
            settings = {"TSUME_KERNELS": str(some), "TSUME_PLATFORM": one}
            _run([*_BUILD, "--wheel", "--outdir", str(folder)], **settings)
    for path in sorted(folder.iterdir()):
        click.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def _run(command: Sequence[str | Path], **settings: str) -> None:
    if subprocess.run(command, cwd=_ROOT, env={**os.environ, **settings}, check=False).returncode:
        raise click.ClickException(f"failed: {' '.join(map(str, command))}")


# --- `scripts/try_wheels`: the first commands of a user from a wheel -------------------------------

_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
_COMMANDS = {
    "solve": (["solve", _POSITION], "mate in 5: 4b3a+ 2b3a S*2b 3a2b 4d4b\n"),
    "check": (["check", _POSITION], "perfect in 5: "),
    "generate": (["generate", "-m", "3", "-n", "2", "--seed", "1", "-j", "1"], ""),  # an emulator starts no processes
}
"""Arguments, and what is in the answer."""
_DEBIAN = (
    "python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libc6", "zlib1g", "libexpat1", "libffi8",
    "libsqlite3-0", "libgcc-s1", "libuuid1", "liblzma5", "libbz2-1.0", "libssl3", "libstdc++6",
)  # fmt: skip
"""The packages that a Python for another processor consists of."""


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def try_wheels(folder: Path) -> None:
    """Try the wheels in FOLDER that are for this platform; that for aarch64 too, if qemu-user is installed.

    Of all wheels the libraries are read: what they export, and that they need nothing.
    """
    for wheel in sorted(folder.glob("*.whl")):
        _check_libraries(wheel)
    composed = set()
    with tempfile.TemporaryDirectory() as place:
        for name in dict.fromkeys((platform_here(), "manylinux_2_17_aarch64")):
            found = list(folder.resolve().glob(f"*-{name}.whl"))
            settings: dict[str, str] = {}
            if name == platform_here():
                if len(found) != 1:
                    raise click.ClickException(f"{folder} has {len(found)} wheels for {name}")
                python = _installed(found[0], Path(place, name))
            elif found and sys.platform == "linux" and platform.machine() == "x86_64" and shutil.which("qemu-aarch64"):
                python, settings = _emulated(found[0], Path(place, name))
            else:
                continue
            click.echo(found[0].name)
            home = Path(place, f"home-{name}")
            home.mkdir()
            answers = {command: _answer(found[0], python, settings, home, command) for command in _COMMANDS}
            composed.add(answers["generate"])
    if len(composed) > 1:
        raise click.ClickException("the wheels compose different problems:\n" + "\n".join(composed))


def _check_libraries(wheel: Path) -> None:
    """Raise if a library of a wheel lacks a function that `calls.py` calls, or needs another library."""
    with ZipFile(wheel) as content:
        names = [name for name in content.namelist() if name.startswith("tsume_rules/compiled/")]
        calls = content.read("tsume_rules/compiled/calls.py").decode()
        wanted = {*re.findall(r"= lib\.(\w+)$", calls, re.MULTILINE), "processor_level"}
        for name in names:
            found: Any = None if name.endswith(".py") else lief.parse(content.read(name))
            if isinstance(found, lief.MachO.FatBinary):
                found = found.at(0)
            if found is not None:
                exported = {one.name.removeprefix("_" * name.endswith(".dylib")) for one in found.exported_functions}
                if exported != wanted or list(found.imported_functions):
                    raise click.ClickException(f"{wheel.name}: {name} exports or imports something else")
                click.echo(f"{wheel.name}: {name} exports {len(exported)} functions")


def _installed(wheel: Path, place: Path) -> list[str | Path]:
    """Install a wheel into an environment of its own; return how its Python is called."""
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    _run([python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", wheel])
    if subprocess.run([python, "-c", "import numba"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        raise click.ClickException("the wheel brings numba")
    return [python]


def _emulated(wheel: Path, place: Path) -> tuple[list[str | Path], dict[str, str]]:
    """Unpack a wheel, what it needs and Debian's Python for aarch64; return how that is called, and its environment."""
    debs, root, site = place / "debs", place / "root", place / "site"
    for folder in (debs, root):
        folder.mkdir(parents=True)
    subprocess.run(["apt-get", "download", "-qq", *(f"{name}:arm64" for name in _DEBIAN)], cwd=debs, check=True)
    for deb in debs.iterdir():
        subprocess.run(["dpkg", "-x", deb, root], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", f"--target={site}"]
    theirs = ["--python-version=3.11", "--platform=manylinux_2_17_aarch64", "--platform=manylinux_2_28_aarch64"]
    subprocess.run([*pip, "--only-binary=:all:", *theirs, str(wheel)], check=True)
    return ["qemu-aarch64", "-L", root, root / "usr/bin/python3.11"], {"PYTHONPATH": str(site)}


def _answer(wheel: Path, python: list[str | Path], settings: dict[str, str], home: Path, name: str) -> str:
    """Run a command in a home and print its time; raise if the answer is wrong or it compiles."""
    arguments, expected = _COMMANDS[name]
    others = ("NUMBA_", "PYTHON", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    started = time.monotonic()
    done = subprocess.run(
        [*python, "-m", "tsume", *arguments],
        cwd=home, env={**kept, "HOME": str(home), **settings}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    click.echo(f"  {name}: {time.monotonic() - started:.1f} s")
    if done.returncode or expected not in done.stdout or "compiling" in done.stderr:
        raise click.ClickException(f"{wheel.name}: {arguments} answered\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    wheels()
