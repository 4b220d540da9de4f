# SPDX-License-Identifier: GPL-3.0-or-later
"""The command of the experiments: `scripts/papers`."""

from __future__ import annotations

import click

from papers.kaneko2005 import kaneko
from papers.katoh1988 import katoh
from papers.sekine import sekine
from papers.shibahara2006 import shibahara
from papers.sugyan2018 import sugyan


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def papers() -> None:
    """Reproduce the experiments of the papers behind the solver."""


for _command in (kaneko, katoh, sekine, shibahara, sugyan):
    papers.add_command(_command)

if __name__ == "__main__":
    papers(prog_name="scripts/papers")
