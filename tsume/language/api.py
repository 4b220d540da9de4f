# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of the API's description."""

from __future__ import annotations

API: dict[str, tuple[str, str]] = {
    "title": ("API（プログラムから使う）", "API"),
    "about": (
        "詰将棋の判定・修正・改良・創作と、作品の保存を行います。指し手は USI、局面は SFEN で表し"
        'ます。向きは送られた SFEN のとおりです。エラーは {{"error": "一行の説明"}} で返します。',
        "Judge, mend, improve, compose and save tsume-shogi problems. Moves are in USI and "
        'positions in SFEN, in the orientation of the SFEN sent. Errors are {{"error": "one line"'
        "}}.",
    ),
    "document": ("OpenAPI 3.1 文書:", "As an OpenAPI 3.1 document:"),
    "body": ("リクエストの JSON", "JSON body"),
    "query": ("クエリパラメーター", "Query parameters"),
    "answers": ("レスポンス", "Responses"),
    "field": ("名前", "Name"),
    "values": ("値", "Values"),
    "meaning": ("意味", "Meaning"),
    "required": ("必須", "required"),
    "line_by_line": (
        "1行に1つの JSON オブジェクト（NDJSON）です。できた順に送り、最後の行は end です。接続を"
        "切ると処理も止まります。",
        "One JSON object per line (NDJSON), each sent as soon as it is ready; the last one is "
        "end. Closing the connection stops the work.",
    ),
    # requests
    "judgement": ("局面を詰将棋として判定する", "Judge a position as a problem"),
    "mending": ("完全作でない局面を修正する", "Repair a position that is not a perfect problem"),
    "enriching": ("作意を変えずに作品を改良する", "Improve a correct problem without changing its line"),
    "generating": (
        "条件に合う作品を創作する（保存はしない）",
        "Compose problems to given conditions; nothing is saved",
    ),
    "reading": (
        "文字列やファイルから図と作意を読み取る（KIF・KI2・CSA・JKF・BOD・SFEN・アドレス）",
        "Read a position and its line from a text or a file: KIF, KI2, CSA, JKF, BOD, SFEN, an address",
    ),
    "saving": (
        "作品を判定し、完全作またはキズのある作品なら保存する",
        "Judge a problem and save it if it is perfect or sound",
    ),
    "collection": (
        "tsume に付属する第一集を登録する",
        "Add the collection that comes with tsume to the store",
    ),
    "position": (
        "作品の途中の局面で、それぞれの手がどうなるか",
        "What each move leads to in a position of a problem",
    ),
    "tree": ("保存した作品の手順の木（変化と紛れ）", "The reply tree of a stored problem"),
    "record": ("局面と手順の棋譜", "The game record of a position and its line"),
    "diagram": ("局面図（SVG）", "A diagram of a position, as SVG"),
    "description": ("この説明（OpenAPI 3.1）", "This description, as OpenAPI 3.1"),
    # fields
    "sfen": ("局面（SFEN）。手番の側が攻方です", "The position, SFEN; the side to move is the attacker"),
    "line": ("作意（USI の指し手、空白区切り）", "The intended solution: USI moves separated by spaces"),
    "length_wanted": ("指定する手数", "The expected length in moves (plies)"),
    "length_mended": ("修正後の手数", "The length of the repaired problem in moves (plies)"),
    "length_composed": ("手数", "The length in moves (plies)"),
    "keep": ("変更しない升（5e など）", "Squares to leave unchanged, such as 5e"),
    "square": ("升", "A square"),
    "edits": ("変更数の上限", "The maximum number of changes"),
    "repairs": ("見つける完全作の数", "The number of perfect repairs to look for"),
    "suggestions": ("種類ごとの改良案の数", "The number of suggestions of each kind"),
    "plies": ("序奏として加える手数", "The number of moves in an introduction"),
    "count": ("題数", "The number of problems"),
    "natural": (
        "人の作品らしいものだけ（既定）。false なら余詰のないものすべて",
        "Only problems like those that people compose (default); false: all correct ones",
    ),
    "sound": ("キズのある作品も含める", "Problems with blemishes too"),
    "stars": ("星の数（難易度）", "Only problems with this many stars"),
    "themes": ("すべて含むべき手筋", "Only problems that show all these themes"),
    "theme": ("手筋", "A theme"),
    "pieces": (
        "盤上と攻方の持駒の枚数の上限（玉も数える）",
        "The maximum number of pieces on the board and in the attacker's hand, kings included",
    ),
    "moves_before": (
        "開始局面からの指し手（コンマ区切り）。木はその先から始まります。最後が王手なら、その王手"
        "の結果だけを答えます",
        "Moves from the first position, separated by commas: the tree starts after them. If the "
        "last one is a check, the tree says what it does",
    ),
    "whole": (
        "true なら、すべての応手と手順を含む木全体を返します",
        "true: the whole tree, with all answers and lines",
    ),
    "seed": (
        "乱数のシード。同じシードからは同じ作品ができる",
        "The random seed: the same seed gives the same problems",
    ),
    "text": (
        "読み取る文字列。text と data のどちらか一方を指定する",
        "The text to read; give either text or data",
    ),
    "data": (
        "読み取るファイルの内容（base64）。文字コードは自動判別",
        "The bytes of a file to read, in base64; the encoding is detected",
    ),
    "replace": (
        "登録済みの作品なら、指定した作品名・作者・解説で置き換える（既定: false）",
        "Whether the given title, author and comment replace those of a problem that is stored already "
        "(default: false)",
    ),
    "problem_title": ("作品名", "The title"),
    "author": ("作者", "The author"),
    "comment": ("解説（改行可）", "A comment; may have several lines"),
    "format": ("棋譜の形式", "The format of the record"),
    "lang": ("言語（ja または en）", "The language: ja or en"),
    "after": ("何手目まで進めた局面か", "The number of moves of the line already played"),
    "last": ("最終手に印をつけるか（既定: true）", "Whether to mark the last move played (default: true)"),
    "id": ("作品の番号", "The problem number"),
    # statuses
    "done": ("成功", "Done"),
    "saved": ("保存した", "Saved"),
    "bad_value": ("値が正しくない", "Invalid value; the error names it"),
    "not_allowed": (
        "このコンピューター以外からは使えない、保存しない設定、または名前か合言葉が違う",
        "Not allowed from other sites or machines, saving is turned off, or name or passphrase is wrong",
    ),
    "not_there": ("見つからない", "Not found"),
    "too_large": ("大きすぎる", "Body too large"),
    "long_address": ("アドレスが長すぎる", "Address too long"),
    "no_json": ("JSON ではない", "The content type is not JSON"),
    "not_done": ("値は正しいが、実行できない", "Valid, but cannot be done; the error says why"),
    "busy": ("混雑、または時間切れ", "Busy or timed out; try again later"),
}


# --- the phrases about training in the description of the API --------------------------------------

TRAINING_API: dict[str, tuple[str, str]] = {
    # requests
    "me": ("自分の名前とレート。誰でもなければ null", "One's own name and rating; null for nobody"),
    "person_adding": ("名前と合言葉を登録し、サインインする", "Choose a name and a passphrase, and sign in"),
    "signing_in": ("サインインする", "Sign in"),
    "signing_out": ("サインアウトする", "Sign out"),
    "training_next": ("次の問題", "The next problem"),
    "training_days": (
        "「今日の一題」の順番: 番号、手数、星の数",
        "The rotation of the problem of the day: number, length and stars",
    ),
    "result_adding": ("結果を保存する", "Save a result"),
    "run_adding": ("タイムアタック・サバイバルの結果を保存する", "Save a timed run or a survival run"),
    "progress": ("成績", "Progress"),
    "results": ("自分の結果の CSV", "One's own results as CSV"),
    # fields
    "name": ("名前", "The name"),
    "passphrase": ("合言葉（8文字以上）", "The passphrase, of at least 8 characters"),
    "mode": (
        "出題のしかた: レート順、復習、タイムアタック、サバイバル、今日の一題、自由（free）",
        "How the problem comes up: by rating, as a review, in a timed or a survival run, as that of the day; "
        "free: on its own page",
    ),
    "run_mode": ("タイムアタックかサバイバル", "A timed run or a survival run"),
    "theme_wanted": ("この手筋のある問題だけ", "Only problems with this theme"),
    "moves_wanted": ("この手数の問題だけ", "Only problems of this many moves (plies)"),
    "not": ("除く問題の番号（カンマ区切り）", "Numbers of problems to leave out, separated by commas"),
    "solved_in_run": ("この回に解いた題数", "The number of problems solved in this run"),
    "day": ("日付（YYYY-MM-DD）。既定はサーバーの今日", "The date (YYYY-MM-DD); by default today's"),
    "solved": ("最後まで解いたか", "Whether it was solved to the end"),
    "moves_played": ("指した手数", "The number of moves played"),
    "mistakes": ("間違えた回数", "The number of mistakes"),
    "hints": ("ヒントを見た回数", "The number of hints"),
    "seconds": ("秒数", "Seconds"),
    "completes": (
        "最初のミスかヒントで保存した結果の番号。その後の経過で書き換え、レートは変えない",
        "The number of the result that was saved at the first mistake or hint: it gets what came "
        "afterwards, and the rating stays",
    ),
    # statuses
    "taken": ("その名前は使われている", "The name is taken"),
    "too_often": ("回数が多すぎる。しばらくしてから", "Too many attempts; try again later"),
}
