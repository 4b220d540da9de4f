"""The words of the API's description."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "title": ("プログラムから使う", "For programs"),
    "about": (
        "詰将棋の判定・修正・改良・創作と、作品の保存。指し手は USI、局面は SFEN で、"
        '向きは送られた SFEN のとおりです。エラーは {{"error": "一行の説明"}} です。',
        "Judges, mends, improves, composes and saves tsume-shogi problems. Moves are in USI, positions in "
        'SFEN; the orientation is that of the SFEN that was sent. An error is {{"error": "one line"}}.',
    ),
    "document": ("OpenAPI 3.1 の文書:", "The same as OpenAPI 3.1:"),
    "body": ("送る JSON", "JSON to be sent"),
    "query": ("アドレスの値", "Values in the address"),
    "answers": ("返るもの", "Answers"),
    "field": ("名前", "Name"),
    "values": ("値", "Values"),
    "meaning": ("意味", "Meaning"),
    "required": ("必須", "required"),
    "line_by_line": (
        "一行に一つの JSON（NDJSON）。用意できた順に送られ、最後は end です。接続を切ると作業も止まります。",
        "One JSON object a line (NDJSON), each as soon as it is there; the last is end. Closing the "
        "connection stops the work.",
    ),
    # requests
    "judgement": ("局面を詰将棋として判定する", "Judge a position as a problem"),
    "mending": ("完全作でない局面を直す", "Repair a position that is no perfect problem"),
    "enriching": ("作意を変えずに作品を良くする", "Improve a correct problem, keeping its line"),
    "generating": ("条件に合う作品を創る（保存はしません）", "Compose problems on wishes; nothing is saved"),
    "saving": (
        "作品を判定し、完全作かキズのある作品なら保存する",
        "Judge a problem and save it if it is perfect or sound",
    ),
    "tree": ("保存された作品の応手の木", "The reply tree of a stored problem"),
    "record": ("局面と手順の棋譜", "The record of a position and its line"),
    "diagram": ("局面図（SVG）", "The diagram of a position, SVG"),
    "description": ("この説明（OpenAPI 3.1）", "This description, OpenAPI 3.1"),
    # fields
    "sfen": ("局面（SFEN）。手番の側が攻方です", "The position, SFEN; the side to move is the attacker"),
    "line": ("作意手順。USI を空白で区切ります", "The composer's line: moves in USI, separated by spaces"),
    "length_wanted": ("作品の手数", "The length that the problem should have, in moves (plies)"),
    "length_mended": ("直した作品の手数", "The length that a repair should have, in moves (plies)"),
    "length_composed": ("手数", "The length in moves (plies)"),
    "keep": ("変えない升（5e など）", "Squares that stay as they are, such as 5e"),
    "square": ("升", "A square"),
    "edits": ("変更の数の上限", "The most changes"),
    "repairs": ("完全作をいくつ見つけるか", "How many perfect repairs are looked for"),
    "suggestions": ("種類ごとの案の数", "How many suggestions of each kind"),
    "plies": ("序として加える手数", "How many moves an introduction adds"),
    "count": ("作品の数", "How many problems"),
    "natural": (
        "人が創るような作品だけ（既定）。false: 余詰のないものすべて",
        "Only problems as people compose them (default); false: all correct ones",
    ),
    "sound": ("キズのある作品も", "Problems with blemishes too"),
    "stars": ("星の数", "Only problems with this many stars"),
    "themes": ("すべて含むべき手筋", "Only problems that show all these themes"),
    "theme": ("手筋", "A theme"),
    "pieces": (
        "盤上と攻方の持駒の枚数の上限（玉も数える）",
        "The most pieces on the board and in hand, kings counted",
    ),
    "seed": ("乱数の種。同じ種からは同じ作品ができます", "The random seed, which fixes what is found"),
    "problem_title": ("作品名", "The title"),
    "author": ("作者", "The author"),
    "comment": ("解説（改行可）", "Notes, of several lines if need be"),
    "format": ("棋譜の形式", "The format of the record"),
    "lang": ("言葉（ja か en）", "The language, ja or en"),
    "after": ("手順を何手進めた局面か", "After how many moves of the line"),
    "last": (
        "最終着手に印をつけるか（既定: true）",
        "Whether the last of these moves is marked (default: true)",
    ),
    "id": ("作品の番号", "The problem's number"),
    # statuses
    "done": ("成功", "Done"),
    "saved": ("保存しました", "Saved"),
    "bad_value": ("読めない値がある", "A value cannot be read; the error names it"),
    "not_allowed": (
        "このコンピューター以外からは使えない、または保存しない設定",
        "Not for other sites or machines, or nothing is saved here",
    ),
    "not_there": ("見つかりません", "Not there"),
    "too_large": ("大きすぎる", "The body is too large"),
    "long_address": ("アドレスが長すぎる", "The address is too long"),
    "no_json": ("JSON ではない", "The body is not said to be JSON"),
    "not_done": ("読めるが、実行できない", "It can be read but not done; the error says why"),
    "busy": ("混んでいる、または時間切れ", "Busy, or given up after too long; try again later"),
}
