# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases about training in the description of the API."""

from __future__ import annotations

API: dict[str, tuple[str, str]] = {
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
