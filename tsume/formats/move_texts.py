# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading moves as KIF and KI2 files write them: ``２二金打``, ``同　玉(11)``, ``△同玉``, ``▲３一角成``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tsume.formats.errors import FormatError, text_excerpt
from tsume.formats.replay import RecordReplay
from tsume.formats.symbols import KIND_OF, NAME, parse_square_text
from tsume_rules.moves import Move
from tsume_rules.pieces import Kind, Piece, Side
from tsume_rules.reach import origins
from tsume_rules.squares import Square, file_of, rank_of, rotated

_TARGET = r"(?P<target>[１-９1-9][一二三四五六七八九１-９1-9]|同)[ 　]*"
_PIECE = rf"(?P<piece>成[銀桂香]|[{''.join(name for name in KIND_OF if len(name) == 1)}])"
_KIF_MOVE = re.compile(
    rf"[▲△▼▽☗☖]?{_TARGET}{_PIECE}"
    r"(?:(?P<drop>打(?:\(00\))?)|(?P<promotes>成|不成)?[(（](?P<origin>[1-9１-９][1-9１-９])[)）])"
    r"(?:\s*[(（][ 0-9:/.]*[)）])?(?:\s*\+)?\s*"  # no two \s* side by side: time would go by their product
)
_KI2_MOVE = re.compile(
    rf"(?P<mark>[▲△▼▽☗☖])[ 　]*{_TARGET}{_PIECE}"
    r"(?P<way>[左右直上行入引下寄]{0,3})(?P<promotes>成|不成|生)?(?P<drop>打)?\s*"
)
_SIDE_OF = {**dict.fromkeys("▲▼☗", Side.ATTACKER), **dict.fromkeys("△▽☖", Side.DEFENDER)}
_UP, _DOWN = "上行入", "引下"
_LARGE = (Kind.BISHOP, Kind.ROOK, Kind.HORSE, Kind.DRAGON)


def kif_move(replay: RecordReplay, text: str, line: int) -> Move:
    """The move of a line of KIF, without its number, in the position that was reached."""
    found = _KIF_MOVE.fullmatch(text)
    if found is None:
        raise FormatError(f"invalid move: {text_excerpt(text)}", line)
    target, kind = _target_square(replay, found["target"], text, line), KIND_OF[found["piece"]]
    if found["drop"]:
        return Move(target, drop=kind)
    origin = parse_square_text(found["origin"])
    if replay.piece(origin) != Piece(replay.side_to_move, kind):
        raise FormatError(
            f"move {text_excerpt(text)}: {_player_name(replay.side_to_move)} has no {NAME[kind]} there", line
        )
    return Move(target, origin, promotes=found["promotes"] == "成")


def ki2_move_texts(text: str, line: int) -> Iterator[str]:
    """The moves of a line of KI2, one text each; raises `FormatError` for anything else."""
    at = 0
    while at < len(text):
        found = _KI2_MOVE.match(text, at)
        if found is None:
            raise FormatError(f"invalid move: {text_excerpt(text[at:])}", line)
        yield found[0].rstrip()
        at = found.end()


def ki2_move(replay: RecordReplay, text: str, line: int) -> Move:
    """A move of KI2 in the position that was reached."""
    found = _KI2_MOVE.fullmatch(text)
    if found is None:
        raise FormatError(f"invalid move: {text_excerpt(text)}", line)
    if _SIDE_OF[found["mark"]] is not replay.side_to_move:
        raise FormatError(f"move {text_excerpt(text)}: it is the other side's turn", line)
    target, kind = _target_square(replay, found["target"], text, line), KIND_OF[found["piece"]]
    drop = True if found["drop"] else None if not found["way"] and not found["promotes"] else False
    return resolved_move(
        replay, target, kind, way=found["way"], drop=drop, promotes=found["promotes"] == "成",
        text=text, line=line,
    )  # fmt: skip


def resolved_move(
    replay: RecordReplay,
    target: Square,
    kind: Kind,
    *,
    way: str,
    drop: bool | None,
    promotes: bool,
    text: str,
    line: int,
) -> Move:
    """The move of a piece whose origin is given in words: ``way`` holds characters of 左右直上引寄.

    ``drop`` None is a drop where no piece of the board can go there. Raises `FormatError` when
    there is no such piece, or when there are several.
    """
    if drop:
        return Move(target, drop=kind)
    found = [replay.turned(sq) for sq in origins(replay.position, kind, replay.turned(target))]
    if not found and drop is None:
        return Move(target, drop=kind)
    meant = _origins_meant(found, target, kind, way, replay.side_to_move)
    if len(meant) != 1:
        reason = "several pieces can go there" if meant else f"no {NAME[kind]} can go there that way"
        raise FormatError(f"move {text_excerpt(text)}: {reason}", line)
    return Move(target, meant[0], promotes=promotes)


def _origins_meant(found: list[Square], target: Square, kind: Kind, way: str, mover: Side) -> list[Square]:
    """The origins that match the words."""
    if mover is Side.DEFENDER:  # from the defender's side
        return [
            rotated(sq)
            for sq in _origins_meant([rotated(sq) for sq in found], rotated(target), kind, way, Side.ATTACKER)
        ]
    for word in sorted(way, key="上行入引下寄直左右".index):
        if word in _UP:
            found = [sq for sq in found if rank_of(sq) > rank_of(target)]
        elif word in _DOWN:
            found = [sq for sq in found if rank_of(sq) < rank_of(target)]
        elif word == "寄":
            found = [sq for sq in found if rank_of(sq) == rank_of(target)]
        elif word == "直":
            found = [sq for sq in found if file_of(sq) == file_of(target) and rank_of(sq) > rank_of(target)]
        else:
            found = _origins_on_side(found, target, kind, word)
    return found


def _origins_on_side(found: list[Square], target: Square, kind: Kind, word: str) -> list[Square]:
    """The pieces on the left or right: of the target; for large pieces, the outermost one."""
    if kind not in _LARGE:
        return [
            sq
            for sq in found
            if (file_of(sq) > file_of(target) if word == "左" else file_of(sq) < file_of(target))
        ]
    files = [file_of(sq) for sq in found]
    outermost = max(files, default=0) if word == "左" else min(files, default=0)
    return [sq for sq in found if file_of(sq) == outermost]


def _target_square(replay: RecordReplay, text: str, move: str, line: int) -> Square:
    if text != "同":
        return parse_square_text(text)
    if replay.last_target is None:
        raise FormatError(f"同 without a move before it: {text_excerpt(move)}", line)
    return replay.last_target


def _player_name(side: Side) -> str:
    return "Black" if side is Side.ATTACKER else "White"
