# SPDX-License-Identifier: GPL-3.0-or-later
"""Traits against their slow twins, and what they do not depend on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np

from generator.kernel import traits
from generator.kernel.traits import TRAITS
from tests.generator.kernel import twins
from tests.grown import grown
from tests.packed_positions import in_bytes
from tests.readable import checks, evasions
from tests.sampling import attacks, crowded, starts
from tsume_rules.kernel.tables import CELL
from tsume_rules.moves import Move, position_after
from tsume_rules.packed import pack, pack_move, unpack, unpack_move
from tsume_rules.position import Position, Side, file_of
from tsume_rules.sfen import format_sfen

ROOM = 4096
LONGEST = 7
_MIDDLE = 5

Example = tuple[Position, tuple[Move, ...]]


@cache
def positions() -> tuple[Position, ...]:
    """Positions of all sorts, the attacker to move."""
    found = [*starts(60, "traits"), *attacks(40, "traits"), *crowded(40, "traits")]
    return (*found, *(unpack(candidate.packed) for length in (1, 3) for candidate in grown(length)))


@cache
def examples() -> tuple[Example, ...]:
    """Positions with legal lines of one ply or more; only those of grown positions are solutions."""
    rng = random.Random(3)
    drawn = [(position, _random_line(position, rng)) for position in positions()]
    solved = [
        (unpack(candidate.packed), tuple(map(unpack_move, candidate.line)))
        for length in (1, 3, 5)
        for candidate in grown(length)
    ]
    return (*(example for example in drawn if example[1]), *solved)


def _random_line(position: Position, rng: random.Random) -> tuple[Move, ...]:
    """Legal checks and answers that end with a check; none if there is no check."""
    line: list[Move] = []
    while len(line) < LONGEST:
        by_attacker = position.side_to_move is Side.ATTACKER
        legal = checks(position) if by_attacker else evasions(position)
        if not legal:
            break
        line.append(rng.choice(legal))
        position = position_after(position, line[-1])
    return tuple(line if len(line) % 2 else line[:-1])


def position_traits(position: Position, first: int = 0) -> Counter[int]:
    out = np.full(ROOM, -1, dtype=np.int64)
    end = traits.position_traits(pack(position), out, first)
    return Counter(out[first:end].tolist())


def line_traits(position: Position, line: tuple[Move, ...], first: int = 0) -> Counter[int]:
    out, captured = np.full(ROOM, -1, dtype=np.int64), np.zeros(LONGEST, dtype=np.int64)
    moves = np.array([pack_move(move) for move in line], dtype=np.int64)
    end = traits.line_traits(pack(position), moves, len(line), captured, out, first)
    return Counter(out[first:end].tolist())


def difference(found: Counter[int], expected: Counter[int]) -> tuple[dict[int, int], dict[int, int]]:
    """What is too much and what is missing."""
    return dict(found - expected), dict(expected - found)


def seeds() -> dict[int, str]:
    """The number at which each sort of trait begins, in order."""
    names = [name for name in vars(traits) if name.isupper() and not name.startswith("_")]
    others = {"TRAITS", "REACH", "PLACES", "COUNTS", "ATT", "DEF", "PAWN", "BISHOP", "ROOK", "PROMOTES"}
    found = {getattr(traits, name): name for name in names if isinstance(getattr(traits, name), int)}
    return {first: name for first, name in sorted(found.items()) if name not in others}


def sorts(found: Counter[int]) -> Iterator[str]:
    """The sorts of some traits."""
    firsts = seeds()
    for trait in found:
        yield firsts[max(first for first in firsts if first <= trait)]


def test_the_traits_of_positions_are_those_of_the_slow_twin() -> None:
    for position in positions():
        found = position_traits(position)
        assert difference(found, twins.position_traits(position)) == ({}, {}), format_sfen(position)


def test_the_traits_of_lines_are_those_of_the_slow_twin() -> None:
    for position, line in examples():
        found = line_traits(position, line)
        said = f"{format_sfen(position)} moves {' '.join(move.usi for move in line)}"
        assert difference(found, twins.line_traits(position, line)) == ({}, {}), said
    assert {len(line) for _, line in examples()} == {1, 3, 5, 7}


def test_the_examples_show_all_sorts_of_checks_and_answers() -> None:
    """Else the comparison with the twins says little."""
    found = sum((line_traits(*example) for example in examples()), Counter[int]())
    answers = {trait - traits.ANSWERS for trait in found if 0 <= trait - traits.ANSWERS < 16}
    assert {answer % 8 for answer in answers} == set(range(7))
    flags = {(trait - traits.FLAGS) % 8 for trait in found if 0 <= trait - traits.FLAGS < 24}
    assert flags >= {0, 1, 2, 3, 4, 6}


def test_all_traits_have_numbers_of_their_own() -> None:
    found = Counter[int]()
    for position, line in examples():
        of_position, of_line = position_traits(position), line_traits(position, line)
        assert not set(sorts(of_position)) & set(sorts(of_line))
        found += of_position + of_line
    assert min(found) >= 0
    assert max(found) < TRAITS
    assert set(sorts(found)) == set(seeds().values())


def test_a_list_may_be_continued() -> None:
    for position, line in examples()[::5]:
        assert position_traits(position, 17) == position_traits(position)
        assert line_traits(position, line, 17) == line_traits(position, line)


def test_mirror_images_have_the_same_traits() -> None:
    """With the king on the middle file neither image is preferred; what single pieces add may differ."""
    for position, line in examples():
        king = position.king(Side.DEFENDER)
        assert king is not None
        one, other = position_traits(position), position_traits(position.mirrored)
        if file_of(king) == _MIDDLE:
            one, other = (Counter({t: each[t] for t in each if t >= traits.HANDS}) for each in (one, other))
        said = f"{format_sfen(position)} moves {' '.join(move.usi for move in line)}"
        assert one == other, said
        mirrored = tuple(move.mirrored for move in line)
        assert line_traits(position, line) == line_traits(position.mirrored, mirrored), said


def test_positions_are_left_unchanged() -> None:
    out, captured = np.zeros(ROOM, dtype=np.int64), np.zeros(LONGEST, dtype=np.int64)
    for position, line in examples():
        packed = pack(position)
        before = in_bytes(packed)
        moves = np.array([pack_move(move) for move in line], dtype=np.int64)
        traits.position_traits(packed, out, 0)
        traits.line_traits(packed, moves, len(line), captured, out, 0)
        assert in_bytes(packed) == before
        assert in_bytes(pack(unpack(packed))) == before


def test_king_steps_between_cells() -> None:
    rng = random.Random(1)
    for one, other in ((rng.randrange(81), rng.randrange(81)) for _ in range(200)):
        assert traits.king_steps_between(int(CELL[one]), int(CELL[other])) == twins.steps(one, other)
