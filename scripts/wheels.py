# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the sdist, the pure wheel and the wheel with compiled kernels, and tries both wheels.

Run through `scripts/wheels` and `scripts/try_wheels`.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import llvmlite.binding as llvm
from numba.core.serialize import dumps

from tsume.warmup import KernelPart, run_example
from tsume_rules.kernel.cache import PROCESSOR_LEVELS, kernel_sources, processor_features, write_kernels
from tsume_rules.kernel.compile import JitKernel, KernelUnit

_ROOT = Path(__file__).parents[1]
_BUILD = [sys.executable, "-m", "build", "--no-isolation"]
_X86 = {"x86_64", "AMD64"}


# --- `scripts/wheels` ------------------------------------------------------------------------------


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--cpu", "processors", type=click.Choice(list(PROCESSOR_LEVELS)), multiple=True,
    help="Processor level to compile for; can be repeated. By default all levels of this architecture.",
)  # fmt: skip
@click.option("--here", is_flag=True, help="Compile only for the highest level that this processor has.")
def wheels(folder: Path, processors: tuple[str, ...], here: bool) -> None:
    """Build the sdist and two wheels into FOLDER."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, "-m", "browser", "--wheel"])
    _run([*_BUILD, "--outdir", str(folder)])
    with tempfile.TemporaryDirectory() as kernels:
        for processor in processors or (processor_levels()[-1:] if here else processor_levels()):
            compile_kernels(Path(kernels), processor)
        settings = {"TSUME_KERNELS": kernels, "TSUME_WHEEL_TAG": wheel_tag()}
        _run([*_BUILD, "--wheel", "--outdir", str(folder)], **settings)
    for path in sorted(folder.iterdir()):
        click.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def processor_levels() -> list[str]:
    """Return the levels of this architecture, the lowest first."""
    return ["x86-64-v2", "x86-64-v3"] if platform.machine() in _X86 else ["generic"]


def wheel_tag() -> str:
    """Return the tag of a wheel for this Python on this platform.

    On Linux any libc will do that numba's own wheels run on: compiled kernels call nothing of it but what
    numba's helpers and LLVM's run-time library need.
    """
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = re.sub(r"[-.]", "_", sysconfig.get_platform())
    system = re.sub(r"^linux_", "manylinux_2_17_", system).replace("universal2", platform.machine())
    return f"{python}-{python}{getattr(sys, 'abiflags', '')}-{system}"


def compile_kernels(folder: Path, processor: str) -> None:
    """Compile for a processor level, which this processor must have: the compiled examples are run."""
    if missing := PROCESSOR_LEVELS[processor] - processor_features():
        raise click.ClickException(f"this processor lacks {', '.join(sorted(missing))}, of {processor}")
    with tempfile.TemporaryDirectory() as cache:
        settings = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": cache}
        _run([sys.executable, "-m", "tsume", "warmup"], **settings)
        code = "import sys; from scripts.wheels import write_compiled; write_compiled(sys.argv[1])"
        _run([sys.executable, "-c", code, str(folder)], **settings)


def _run(command: list[str], **settings: str) -> None:
    others = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    if subprocess.run(command, cwd=_ROOT, env=others | settings, check=False).returncode:
        raise click.ClickException(f"failed: {' '.join(command)}")


# --- kernels compiled for one processor level, as a file for a wheel -------------------------------

_LIBRARY, _TYPE_ANNOTATION = 0, 6
"""Members of a compiled function as numba stores it (`CompileResult._reduce`)."""


def write_compiled(folder: str) -> None:
    """Write the compiled kernels of one processor level to a file in a folder.

    Runs after `tsume warmup`, in a process whose environment names the processor (NUMBA_CPU_NAME,
    NUMBA_CPU_FEATURES) and the folder of compiled code (NUMBA_CACHE_DIR).
    """
    for part in KernelPart:
        run_example(part)
    parts = {part.value for part in KernelPart}
    write_kernels(Path(folder), os.environ["NUMBA_CPU_NAME"], parts, compiled_kernels())


def compiled_kernels() -> dict[tuple[Any, Any], bytes]:
    """Return the units and the kernels loaded in this process, pickled, by function and signature.

    Loaded are the kernels that Python calls in the examples of `tsume.warmup`; the others were linked into these.
    """
    found: dict[tuple[Any, Any], bytes] = {}
    for path in kernel_sources():
        name = ".".join(path.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__")
        for kernel in vars(import_module(name)).values():
            if not isinstance(kernel, JitKernel) or kernel.py_func.__module__ != name:
                continue
            is_unit = isinstance(kernel, KernelUnit)
            for kinds, stored in kernel.stored_code().items() if kernel.overloads or is_unit else ():
                # Nobody reads the listing of types, which names paths of this machine, and the LLVM code of a
                # unit. From that numba would link the unit into its callers, but they know only its address.
                members = list(stored)
                members[_TYPE_ANNOTATION] = ""
                library, kind, (code, linkable) = members[_LIBRARY]
                members[_LIBRARY] = library, kind, (code, _without_bodies(linkable) if is_unit else linkable)
                found[kernel.py_func, kinds] = bytes(dumps(tuple(members)))  # type: ignore[no-untyped-call]
    return found


def _without_bodies(bitcode: bytes) -> bytes:
    """Return a module that only names what another defines: numba looks up no other addresses."""
    module = llvm.parse_bitcode(bitcode)
    functions = (one.name for one in module.functions if not one.is_declaration)
    variables = (one.name for one in module.global_variables if not one.is_declaration)
    lines = [f'define void @"{name}"() {{ ret void }}' for name in functions]
    lines += [f'@"{name}" = global i8 0' for name in variables]
    return bytes(llvm.parse_assembly("\n".join(lines)).as_bitcode())


# --- `scripts/try_wheels`: the first commands of a user from each wheel ----------------------------

_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
_COMMANDS = {
    "solve": (["solve", _POSITION], "mate in 5: 4b3a+ 2b3a S*2b 3a2b 4d4b\n"),
    "check": (["check", _POSITION], "perfect in 5: "),
    "generate": (["generate", "-m", "3", "-n", "2", "--seed", "1"], ""),
    "warmup": (["warmup"], ""),
}
"""Arguments, and what is in the answer."""


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def try_wheels(folder: Path) -> None:
    """Try the wheels in FOLDER that are for this Python and this platform."""
    composed = set()
    for tag, names in ((wheel_tag(), list(_COMMANDS)), ("py3-none-any", ["solve", "check", "generate"])):
        found = list(folder.resolve().glob(f"*-{tag}.whl"))
        if len(found) != 1:
            raise click.ClickException(f"{folder} has {len(found)} wheels {tag}")
        with tempfile.TemporaryDirectory() as place:
            home, programs = Path(place, "home"), Path(place, "venv", "Scripts" if os.name == "nt" else "bin")
            home.mkdir()
            subprocess.run([sys.executable, "-m", "venv", Path(place, "venv")], check=True)
            pip = [str(programs / "python"), "-m", "pip", "--disable-pip-version-check"]
            subprocess.run([*pip, "install", "--quiet", str(found[0])], check=True)
            click.echo(found[0].name)
            answers = {name: _answer(found[0], programs, home, name) for name in names}
        composed.add(answers["generate"])
    if len(composed) > 1:
        raise click.ClickException("the wheels compose different problems:\n" + "\n".join(composed))


def _answer(wheel: Path, programs: Path, home: Path, name: str) -> str:
    """Run a command in a home and print its time; raise if the answer or the way to it is wrong."""
    arguments, expected = _COMMANDS[name]
    others = ("NUMBA_", "PYTHON", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    started = time.monotonic()
    done = subprocess.run(
        [programs / "tsume", *arguments],
        cwd=home, env=kept | {"HOME": str(home)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    click.echo(f"  {name}: {time.monotonic() - started:.1f} s")
    if done.returncode or expected not in done.stdout:
        raise click.ClickException(f"{wheel.name}: {arguments} answered\n{done.stdout}{done.stderr}")
    # A compiled wheel never compiles, the other before its first answer.
    is_compiled = not wheel.name.endswith("-py3-none-any.whl")
    stored = sorted(path.name for path in home.rglob("*.nb[ic]"))
    if is_compiled and (stored or "compiling" in done.stderr):
        raise click.ClickException(f"{wheel.name}: {name} compiled {', '.join(stored)}\n{done.stderr}")
    if not is_compiled and not stored:
        raise click.ClickException(f"{wheel.name}: {name} stored no compiled code")
    return done.stdout


if __name__ == "__main__":
    wheels()
