# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of positions, valid and odd: SFEN, JSON lines, KIF, KI2, CSA."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from hypothesis import strategies as st

from tests.fuzzing.damage import JUNK, damage_of
from tests.tsume.formats.positions import random_line, random_position, random_record
from tests.tsume.formats.trees import random_tree
from tests.tsume.problems import COOKED, CORRECT, CORRECT_WHITE, FAULTY, HARD, NO_MATE
from tsume.formats.csa import write_csa
from tsume.formats.game_record import GameRecord
from tsume.formats.jkf import write_jkf
from tsume.formats.kif import write_ki2, write_kif
from tsume_rules.sfen import format_sfen, parse_sfen

_SEEDS = st.integers(0, 10**6)
_KNOWN = (CORRECT, CORRECT_WHITE, COOKED, NO_MATE, HARD, *FAULTY)
_PIECES = [sign + letter for letter in "kKpPlLnNsSgGbBrR" for sign in ("", "+") if sign == "" or letter not in "kKgG"]
_HANDS = (
    "-", "R", "2r2b4g4s4n4l18p", "18P", "19p", "99P", "100p", "p", "P0", "RBGSNLP", "rr", "RRR", "K", "1P",
    "02p", "4g4s4n4l9p", "２歩",
)  # fmt: skip


def _random_sfen(seed: int) -> str:
    """Pieces anywhere: no king or several, too many of a kind, the king in check, dead pieces."""
    rng = random.Random(seed)
    full = rng.random() < 0.2
    cells = [rng.choice(_PIECES if full else ["1"] * 14 + _PIECES) for _ in range(81)]
    if rng.random() < 0.8:
        kings = rng.choice((["k"], ["k"], ["k", "K"], ["k", "k"], ["K"]))
        cells = [rng.choice("pPgG1") if cell in "kK" else cell for cell in cells]
        for king in kings:
            cells[rng.randrange(81)] = king
    if rng.random() < 0.8:
        cells = [cell if rng.random() < rng.choice((0.1, 0.5)) or cell in "kK" else "1" for cell in cells]
    board = "/".join("".join(cells[rank : rank + 9]) for rank in range(0, 81, 9))
    return f"{board} {rng.choice('bbbwx')} {rng.choice(_HANDS)} {rng.choice(('1', '1', '0', '-1', ''))}"


def _valid_sfen(seed: int) -> str:
    game = random_record(seed)
    moves = "".join(f" {move.usi}" for move in game.line)
    return format_sfen(game.position) + (f" moves{moves}" if moves else "")


sfens: st.SearchStrategy[str] = st.sampled_from(_KNOWN) | _SEEDS.map(_valid_sfen) | _SEEDS.map(_random_sfen)


def _lines(texts: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return st.lists(texts, min_size=1, max_size=3).map(lambda lines: "\n".join(lines).encode())


def _json_line(sfen: object, key: str, more: object) -> str:
    return json.dumps({key: sfen, "more": more}, ensure_ascii=False)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
_json_lines = st.builds(_json_line, sfens | sfens | _VALUES, st.sampled_from(["sfen", "sfen", "SFEN", "\0"]), _VALUES)


def _long_game_record(seed: int) -> GameRecord:
    rng = random.Random(seed)
    position = random_position(rng)
    return GameRecord(position, random_line(position, rng, 12))


_PROBLEMS = [GameRecord(parse_sfen(sfen).position) for sfen in (CORRECT, CORRECT_WHITE, COOKED, NO_MATE)]


def _written(write: Callable[[GameRecord], str]) -> st.SearchStrategy[bytes]:
    one = _SEEDS.map(random_record) | _SEEDS.map(_long_game_record) | st.sampled_from(_PROBLEMS)
    games = st.lists(one, min_size=1, max_size=2)
    return games.map(lambda several: "\n".join(map(write, several)).encode())


def _trees(write: Callable[[GameRecord], str]) -> st.SearchStrategy[bytes]:
    return st.integers(0, 300).map(random_tree).map(lambda record: write(record).encode())


_NOISE = st.binary(max_size=200) | st.lists(st.sampled_from(JUNK), max_size=20).map(b"".join)


def _mostly(valid: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    return st.one_of(*[damage_of(valid)] * 4, _NOISE)


FILES: dict[str, st.SearchStrategy[bytes]] = {
    "sfen": _mostly(_lines(sfens)),
    "jsonl": _mostly(_lines(_json_lines | sfens)),
    "kif": _mostly(_written(write_kif) | _trees(write_kif) | _written(write_ki2) | _trees(write_ki2)),
    "jkf": _mostly(_trees(write_jkf)),
    "csa": _mostly(_written(write_csa).map(lambda data: data.replace(b"V2.2\n", b"/\n"))),
}
"""Contents of files for each format."""
