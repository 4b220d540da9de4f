# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume verify``"""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from db.errors import store_place_name
from tsume.commands.answering import jobs_option
from tsume.commands.options import jsonl_option, lang_option
from tsume.commands.output import json_text, print_line
from tsume.language.voice import Voice
from tsume.services.certifying import UnusableCertificate, verify_certificate

if TYPE_CHECKING:
    from solver.certificates.checker import Proved


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@jobs_option("Number of processes; by default one per processor.")
@lang_option(Voice.of("en"))
@jsonl_option("problem")
@click.pass_context
def verify(
    context: click.Context, files: tuple[Path, ...], jobs: int | None, voice: Voice, jsonl: bool
) -> None:
    """Verify certificates written by `tsume check --certificate`.

    Prints one line for each problem: what is proved. Searches nothing. Exits with status 1 if a file does
    not prove what it claims; nothing is printed of it then but where it fails.
    """
    good = True
    for path in files:
        try:
            proved = verify_certificate(path, jobs or os.cpu_count() or 1)
        except UnusableCertificate as error:
            click.echo(f"{store_place_name(str(path))}: {error}", err=True)
            good = False
            continue
        for problem in proved:
            print_line(json_text(**asdict(problem)) if jsonl else _proved_text(problem, voice))
    context.exit(0 if good else 1)


def _proved_text(proved: Proved, voice: Voice) -> str:
    """One line on a problem."""
    if proved.no_mate is not None:
        ever = proved.no_mate == "*"
        text = voice("verify.no_mate_ever") if ever else voice("verify.no_mate_within", plies=proved.no_mate)
        return f"{proved.sfen}: {text}"
    said = [voice("verify.mate", plies=proved.mate)]
    if proved.line:
        said.append(" ".join(proved.line))
        if proved.leftover:
            said.append(voice("verify.leftover"))
    if proved.unique == "*":
        said.append(voice("verify.unique_ever"))
    elif proved.unique is not None:
        said.append(voice("verify.unique_within", plies=(proved.mate or 0) + int(proved.unique)))
    said += [
        voice("verify.second", number=len(one["after"]) + 1, **{name: one[name] for name in _SECOND})
        for one in proved.second
    ]
    return f"{proved.sfen}: {'; '.join(said)}"


_SECOND = ("check", "key", "plies")
