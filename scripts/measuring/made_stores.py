# SPDX-License-Identifier: GPL-3.0-or-later
"""Large stores for measurements: the problems of a store again and again, with pieces added."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

from sqlalchemy import Connection, insert, select

from db.engine import build_engine, locate_store, writing_engine
from db.models import FEATURE_SETS, PROBLEMS, THEMES
from db.store import Store
from tsume_rules.pieces import Kind, Piece, Side
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen
from tsume_rules.squares import file_of, rank_of, square_name
from tsume_rules.symmetry import mirrored_sfen

_AT_ONCE = 5_000
_ADDED = (Kind.PAWN, Kind.LANCE, Kind.KNIGHT, Kind.SILVER)
_MORE = 3
_LOWEST_RANKS = 5
"""Pieces are added on this rank and below."""


def make_store(source: str, place: str, number: int, seed: int = 1) -> None:
    """Fill a new store at ``place`` with ``number`` problems made of those of the store ``source``.

    Each has three of the defender's pieces more on squares that its line does not need, and another score
    and quality; its line can be played, whether it mates is not looked at.
    """
    rng = random.Random(seed)
    with build_engine(locate_store(source)).connect() as old:
        rows = [dict(row) for row in old.execute(select(PROBLEMS)).mappings()]
        themes: dict[int, list[str]] = {}
        for problem, theme in old.execute(select(THEMES)):
            themes.setdefault(problem, []).append(theme)
        sets = [dict(row) for row in old.execute(select(FEATURE_SETS)).mappings()]
    Store.open(place).close()
    with writing_engine(build_engine(locate_store(place))).begin() as new:
        new.execute(insert(FEATURE_SETS), sets)
        known: set[str] = set()
        made = _varied(rows, known, rng)
        first = 1
        while batch := list(islice(made, min(_AT_ONCE, number + 1 - first))):
            _insert(new, batch, themes, first)
            first += len(batch)
        if new.dialect.name == "postgresql":
            new.exec_driver_sql(f"SELECT setval(pg_get_serial_sequence('problems', 'id'), {first - 1})")


def _insert(
    new: Connection, batch: Sequence[dict[str, Any]], themes: dict[int, list[str]], first: int
) -> None:
    numbered = list(enumerate(batch, start=first))
    new.execute(insert(PROBLEMS), [{**row, "id": number} for number, row in numbered])
    shown = [
        {"problem_id": number, "theme": theme}
        for number, row in numbered
        for theme in themes.get(row["id"], ())
    ]
    if shown:
        new.execute(insert(THEMES), shown)


def _varied(rows: Sequence[dict[str, Any]], known: set[str], rng: random.Random) -> Iterator[dict[str, Any]]:
    varieties = [(row, _Variety(parse_sfen(row["sfen"]).position, row["line"])) for row in rows]
    for row, variety in cycle(varieties):
        sfen = variety.drawn(rng)
        canonical = None if sfen is None else min(sfen, mirrored_sfen(sfen))
        if sfen is None or canonical is None or canonical in known:
            continue
        known.add(canonical)
        yield {
            **row,
            "canonical": canonical,
            "sfen": sfen,
            "record": None,
            "run_id": None,
            "parent_id": None,
            "score": row["score"] + rng.random(),
            "quality": rng.uniform(0, 60),
        }


class _Variety:
    """A position with more of the defender's pieces where its line does not need them, drawn as text."""

    def __init__(self, position: Position, line: str) -> None:
        self._position = position
        named = {usi[at : at + 2] for usi in line.split() for at in (0, 2)}
        free = [
            sq
            for sq, piece in enumerate(position.board)
            if piece is None and rank_of(sq) >= _LOWEST_RANKS and square_name(sq) not in named
        ]
        self._places = [(sq, kind) for sq in free for kind in _ADDED if self._with([(sq, kind)]) is not None]

    def drawn(self, rng: random.Random) -> str | None:
        """The SFEN with some pieces more; None if they cannot stand there together."""
        added = sorted(rng.sample(self._places, min(_MORE, len(self._places))))
        files = [file_of(sq) for sq, kind in added if kind is Kind.PAWN]
        if len({sq for sq, _ in added}) < len(added) or len(set(files)) < len(files):
            return None
        return self._with(added)

    def _with(self, added: Sequence[tuple[int, Kind]]) -> str | None:
        position = self._position
        try:
            for sq, kind in added:
                position = position.with_piece(sq, Piece(Side.DEFENDER, kind))
            return format_sfen(parse_sfen(format_sfen(position)).position)
        except ValueError:
            return None
