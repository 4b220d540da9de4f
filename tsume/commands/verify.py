"""``tsume verify``"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from db.errors import store_place_name
from tsume.commands.options import jsonl_option
from tsume.commands.output import json_text, print_line
from tsume.services.certifying import UnusableCertificate, verify_certificate

if TYPE_CHECKING:
    from solver.certificates.checker import Proved


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@jsonl_option("problem")
@click.pass_context
def verify(context: click.Context, files: tuple[Path, ...], jsonl: bool) -> None:
    """Verify certificates written by `tsume check --certificate`.

    Prints one line for each problem: what is proved. Searches nothing. Exits with status 1 if a file does
    not prove what it claims; nothing is printed of it then but where it fails.
    """
    good = True
    for path in files:
        try:
            proved = verify_certificate(path)
        except UnusableCertificate as error:
            click.echo(f"{store_place_name(str(path))}: {error}", err=True)
            good = False
            continue
        for problem in proved:
            print_line(json_text(**asdict(problem)) if jsonl else _proved_text(problem))
    context.exit(0 if good else 1)


def _proved_text(proved: Proved) -> str:
    """One line on a problem."""
    if proved.no_mate is not None:
        within = "at any length" if proved.no_mate == "*" else f"within {proved.no_mate} moves"
        return f"{proved.sfen}: no mate {within}"
    said = [f"mate in {proved.mate} moves"]
    if proved.line:
        said.append(" ".join(proved.line))
        if proved.leftover:
            said.append("pieces are left in hand")
    if proved.unique == "*":
        said.append("no second solution at any length")
    elif proved.unique is not None:
        said.append(f"no second solution within {(proved.mate or 0) + int(proved.unique)} moves")
    said += [
        f"{one['check']} instead of {one['key']} at move {len(one['after']) + 1} mates in {one['plies']}"
        for one in proved.second
    ]
    return f"{proved.sfen}: {'; '.join(said)}"
