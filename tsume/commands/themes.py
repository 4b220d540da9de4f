"""``tsume themes``"""

from __future__ import annotations

import click

from generator.theme_names import NAMES
from tsume.commands.options import jsonl_option
from tsume.output import print_json


@click.command()
@jsonl_option("theme")
def themes(jsonl: bool) -> None:
    """List the themes of problems: tag, Japanese and English name, meaning.

    Each of the three may be given to ``--theme``; case, spaces and hyphens make no difference.
    """
    for name in NAMES.values():
        if jsonl:
            print_json(tag=name.tag, japanese=name.japanese, english=name.english, meaning=name.meaning)
        else:
            click.echo(f"{name.tag}  {name.japanese}  {name.english}\n    {name.meaning}")
