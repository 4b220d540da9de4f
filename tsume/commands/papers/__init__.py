# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume papers``: the experiments of the papers the project is built on, a module each."""

from __future__ import annotations

import click

from tsume.commands.papers.kaneko import kaneko
from tsume.commands.papers.katoh import katoh
from tsume.commands.papers.sekine import sekine
from tsume.commands.papers.shibahara import shibahara
from tsume.commands.papers.sugyan import sugyan


@click.group()
def papers() -> None:
    """Reproduce the experiments of the papers behind the solver."""


for _command in (kaneko, katoh, sekine, shibahara, sugyan):
    papers.add_command(_command)
