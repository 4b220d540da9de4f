"""Large stores for measurements: the problems of a store again and again, with pieces added."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

from sqlalchemy import Connection, insert, select

from db.engine import build_engine, writer
from db.location import locate
from db.models import PROBLEMS, THEMES
from db.store import Store
from tsume_rules.pieces import Kind, Piece, Side
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen
from tsume_rules.squares import rank_of, square_name
from tsume_rules.symmetry import canonical_sfen

_AT_ONCE = 5_000
_ADDED = (Kind.PAWN, Kind.LANCE, Kind.KNIGHT, Kind.SILVER)
_LOWEST_RANKS = 5
"""Pieces are added on this rank and below."""


def make_store(source: str, place: str, number: int, seed: int = 1) -> None:
    """Fill a new store at ``place`` with ``number`` problems made of those of the store ``source``.

    Each has two of the defender's pieces more on squares that its line does not need, and another score and
    quality; its line can be played, whether it mates is not looked at.
    """
    rng = random.Random(seed)
    with build_engine(locate(source)).connect() as old:
        rows = [dict(row) for row in old.execute(select(PROBLEMS)).mappings()]
        themes: dict[int, list[str]] = {}
        for problem, theme in old.execute(select(THEMES)):
            themes.setdefault(problem, []).append(theme)
    Store.open(place).close()
    with writer(build_engine(locate(place))).begin() as new:
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
    for row in cycle(rows):
        position = _with_more(parse_sfen(row["sfen"]).position, row["line"], rng)
        canonical = None if position is None else canonical_sfen(position)
        if position is None or canonical is None or canonical in known:
            continue
        known.add(canonical)
        yield {
            **row,
            "canonical": canonical,
            "sfen": format_sfen(position),
            "record": None,
            "run_id": None,
            "parent_id": None,
            "score": row["score"] + rng.random(),
            "quality": rng.uniform(0, 60),
        }


def _with_more(position: Position, line: str, rng: random.Random) -> Position | None:
    named = {usi[at : at + 2] for usi in line.split() for at in (0, 2)}
    free = [
        sq
        for sq, piece in enumerate(position.board)
        if piece is None and rank_of(sq) >= _LOWEST_RANKS and square_name(sq) not in named
    ]
    try:
        for sq in rng.sample(free, 2):
            position = position.with_piece(sq, Piece(Side.DEFENDER, rng.choice(_ADDED)))
        return parse_sfen(format_sfen(position)).position
    except ValueError:
        return None
