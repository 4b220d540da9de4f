"""The fields of each request."""

from __future__ import annotations

from generator.theme_names import NAMES
from tsume.formats.writers import WRITERS
from tsume.language.catalogue import LANGUAGES
from tsume.web.api.fields import Boolean, Choice, Field, Form, Integer, ListOf, Text, note
from tsume_rules.moves import Move, parse_move
from tsume_rules.sfen import parse_sfen
from tsume_rules.squares import parse_square

_EXAMPLE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
LONGEST_SFEN, LONGEST_LINE = 300, 3000
MOST_MOVES = 999
_LANG = Choice("api.lang", LANGUAGES)


def _line(text: str) -> tuple[Move, ...]:
    return tuple(map(parse_move, text.split()))


_SFEN = Text(
    "api.sfen", LONGEST_SFEN, required=True, make=parse_sfen,
    example=_EXAMPLE,
)  # fmt: skip
_LINE = Text(
    "api.line", LONGEST_LINE, make=_line,
    example="3d2c 1b1a 2c2b",
)  # fmt: skip
_POSITION: dict[str, Field] = {"sfen": _SFEN, "line": _LINE}
_CHANGING: dict[str, Field] = {
    "keep": ListOf(
        "api.keep",
        Text("api.square", 2, make=parse_square, example="5e"), 81,
    ),
}  # fmt: skip

JUDGEMENT = Form({**_POSITION, "moves": Integer("api.length_wanted", 1, MOST_MOVES)})
MENDING = Form(
    {
        **_POSITION,
        "moves": Integer("api.length_mended", 3, 99),
        **_CHANGING,
        "edits": Integer("api.edits", 1, 3),
        "count": Integer("api.repairs", 1, 20),
    }
)
ENRICHING = Form(
    {
        **_POSITION,
        **_CHANGING,
        "edits": Integer("api.edits", 0, 3),
        "count": Integer("api.suggestions", 1, 20),
        "plies": Integer("api.plies", 2, 8, 2),
    }
)
GENERATING = Form(
    {
        "moves": Integer("api.length_composed", 1, 15, 2, required=True),
        "count": Integer("api.count", 1, 50, required=True),
        "natural": Boolean("api.natural"),
        "sound": Boolean("api.sound"),
        "stars": Integer("api.stars", 1, 5),
        "themes": ListOf("api.themes", Choice("api.theme", tuple(NAMES)), 10),
        "pieces": Integer("api.pieces", 3, 40),
        "seed": Integer("api.seed", 0, 2**32 - 1),
    }
)
SAVING = Form(
    {
        **_POSITION,
        "title": note("title", "api.problem_title"),
        "author": note("author", "api.author"),
        "comment": note("notes", "api.comment"),
    }
)
RECORD = Form(
    {
        **_POSITION,
        "format": Choice("api.format", (*WRITERS, "sfen"), required=True),
    }
)
DIAGRAM = Form(
    {
        **_POSITION,
        "after": Integer("api.after", 0, MOST_MOVES),
        "last": Boolean("api.last"),
        "lang": _LANG,
    }
)
