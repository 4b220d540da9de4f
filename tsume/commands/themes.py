# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume themes``"""

from __future__ import annotations

import click

from generator.theme_names import NAMES, TIMES
from tsume.commands.options import jsonl_option, known_themes, lang_option, print_json
from tsume.language.catalogue import Voice
from tsume.reports.runs import time_text


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", callback=known_themes)
@lang_option(Voice.of("en"))
@jsonl_option("theme")
def themes(names: tuple[str, ...], voice: Voice, jsonl: bool) -> None:
    """List all themes, or the given ones: tag, Japanese and English name, meaning, composing time.

    ``--theme`` takes a tag or either name, regardless of case, spaces and hyphens. The time is that within
    which one process on a free processor nearly always composes a natural problem of the length given.
    """
    for name in map(NAMES.__getitem__, names or NAMES):
        taken = TIMES.get(name.tag)
        if jsonl:
            print_json(
                tag=name.tag, japanese=name.japanese, english=name.english, meaning=name.meaning,
                length=taken and taken.length, seconds=taken and taken.seconds,
                within=taken and taken.within,
            )  # fmt: skip
        else:
            meaning = name.japanese_meaning if voice.words == "ja" else name.meaning
            click.echo(f"{name.tag}  {name.japanese}  {name.english}\n    {meaning}")
            time = voice("nearest.alone", time=time_text(name.tag, voice))
            click.echo(f"    {time}")
