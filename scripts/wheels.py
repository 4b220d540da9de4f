# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the sdist, the pure wheel and the wheel with compiled kernels. Run through `scripts/wheels`."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import click

from tsume_rules.kernel.cache import PROCESSOR_LEVELS, processor_features

_ROOT = Path(__file__).parents[1]
_BUILD = [sys.executable, "-m", "build", "--no-isolation"]
_X86 = {"x86_64", "AMD64"}


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--cpu",
    "processors",
    type=click.Choice(list(PROCESSOR_LEVELS)),
    multiple=True,
    help="Processor level to compile for; can be repeated. By default all levels of this architecture.",
)
@click.option("--here", is_flag=True, help="Compile only for the highest level that this processor has.")
def wheels(folder: Path, processors: tuple[str, ...], here: bool) -> None:
    """Build the sdist and two wheels into FOLDER."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, "-m", "browser", "--wheel"])
    _run([*_BUILD, "--outdir", str(folder)])
    with tempfile.TemporaryDirectory() as name:
        kernels = Path(name)
        for processor in processors or (processor_levels()[-1:] if here else processor_levels()):
            compile_kernels(kernels, processor)
        settings = {"TSUME_KERNELS": str(kernels), "TSUME_WHEEL_TAG": wheel_tag()}
        _run([*_BUILD, "--wheel", "--outdir", str(folder)], **settings)
    for path in sorted(folder.iterdir()):
        click.echo(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def processor_levels() -> list[str]:
    """The levels of this architecture, the lowest first."""
    return ["x86-64-v2", "x86-64-v3"] if platform.machine() in _X86 else ["generic"]


def wheel_tag() -> str:
    """The tag of a wheel for this Python on this platform.

    On Linux any libc will do that numba's own wheels run on: compiled kernels call nothing of it but what
    numba's helpers and LLVM's run-time library need.
    """
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = re.sub(r"[-.]", "_", sysconfig.get_platform())
    system = re.sub(r"^linux_", "manylinux_2_17_", system).replace("universal2", platform.machine())
    return f"{python}-{python}{getattr(sys, 'abiflags', '')}-{system}"


def compile_kernels(folder: Path, processor: str) -> None:
    """Compile for a processor level, which this processor must have: the compiled examples are run."""
    missing = PROCESSOR_LEVELS[processor] - processor_features()
    if missing:
        raise click.ClickException(f"this processor lacks {', '.join(sorted(missing))}, of {processor}")
    with tempfile.TemporaryDirectory() as cache:
        settings = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": cache}
        _run([sys.executable, "-m", "tsume", "warmup"], **settings)
        _run([sys.executable, "-m", "scripts.compiled_kernels", str(folder)], **settings)


def _run(command: list[str], **settings: str) -> None:
    others = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    if subprocess.run(command, cwd=_ROOT, env=others | settings, check=False).returncode:
        raise click.ClickException(f"failed: {' '.join(command)}")


if __name__ == "__main__":
    wheels()
