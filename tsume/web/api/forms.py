"""The requests: which fields each has."""

from __future__ import annotations

from generator.theme_names import NAMES
from tsume.formats.writers import WRITERS
from tsume.language.catalogue import LANGUAGES
from tsume.web.api.fields import Choice, Field, Flag, Form, Listed, Text, Whole, note
from tsume_rules.moves import Move, parse_move
from tsume_rules.sfen import parse_sfen
from tsume_rules.squares import parse_square

_EXAMPLE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"
LONGEST_SFEN, LONGEST_LINE = 300, 3000
MOST_MOVES = 999
_LANG = Choice("The language of what is written: ja or en.", LANGUAGES)


def _line(text: str) -> tuple[Move, ...]:
    return tuple(map(parse_move, text.split()))


_SFEN = Text(
    "The position: an SFEN; the side to move is the attacker.", LONGEST_SFEN, required=True, make=parse_sfen,
    example=_EXAMPLE,
)  # fmt: skip
_LINE = Text(
    "The composer's line: moves in USI, separated by spaces.", LONGEST_LINE, make=_line,
    example="3d2c 1b1a 2c2b",
)  # fmt: skip
_POSITION: dict[str, Field] = {"sfen": _SFEN, "line": _LINE}
_CHANGING: dict[str, Field] = {
    "keep": Listed(
        "Squares that stay as they are, such as 5e.",
        Text("A square.", 2, make=parse_square, example="5e"), 81,
    ),
}  # fmt: skip

JUDGEMENT = Form(
    {**_POSITION, "moves": Whole("The length in moves (plies) that the problem should have.", 1, MOST_MOVES)}
)
MENDING = Form(
    {
        **_POSITION,
        "moves": Whole("The length in moves (plies) that a repair should have.", 3, 99),
        **_CHANGING,
        "edits": Whole("The most changes of one repair.", 1, 3),
        "count": Whole("How many perfect repairs are looked for.", 1, 20),
    }
)
ENRICHING = Form(
    {
        **_POSITION,
        **_CHANGING,
        "edits": Whole("The most changes of one suggestion.", 0, 3),
        "count": Whole("How many suggestions of each kind.", 1, 20),
        "plies": Whole("How many moves an introduction adds.", 2, 8, 2),
    }
)
GENERATING = Form(
    {
        "moves": Whole("The length in moves (plies).", 1, 15, 2, required=True),
        "count": Whole("How many problems.", 1, 50, required=True),
        "natural": Flag("Problems as people compose them (else all correct ones); true by default."),
        "sound": Flag("Problems with blemishes too; false by default."),
        "stars": Whole("Only problems with this many stars.", 1, 5),
        "themes": Listed("Only problems that show all these themes.", Choice("A theme.", tuple(NAMES)), 10),
        "pieces": Whole("At most this many pieces on the board and in hand, kings counted.", 3, 40),
        "seed": Whole("The random seed, which fixes what is found; drawn if not given.", 0, 2**32 - 1),
    }
)
SAVING = Form(
    {
        **_POSITION,
        "title": note("title", "The title."),
        "author": note("author", "The author."),
        "comment": note("notes", "Notes, of several lines if need be."),
    }
)
RECORD = Form(
    {
        **_POSITION,
        "format": Choice("The file format.", (*WRITERS, "sfen"), required=True),
        "lang": _LANG,
    }
)
DIAGRAM = Form(
    {
        **_POSITION,
        "after": Whole("Show the position after this many moves of the line.", 0, MOST_MOVES),
        "last": Flag("Whether the last of these moves is marked; true by default."),
        "lang": _LANG,
    }
)
