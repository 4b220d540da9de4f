# SPDX-License-Identifier: GPL-3.0-or-later
"""The words on the page of training."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "title": ("トレーニング", "Training"),
    "needs_script": ("トレーニングには JavaScript が必要です。", "Training needs JavaScript."),
    # modes
    "modes": ("出題", "What to solve"),
    "training": ("実力に合う問題", "Problems of your level"),
    "review": ("復習（{due}題）", "Review ({due})"),
    "timed": ("3分間タイムアタック", "Three minutes"),
    "survival": ("サバイバル（ミス3回まで）", "Survival (three mistakes)"),
    "day": ("今日の一題", "Problem of the day"),
    "next": ("次の問題", "Next problem"),
    "give_up": ("あきらめる", "Give up"),
    "stop": ("やめる", "Stop"),
    "answer": ("解答を見る", "Show the answer"),
    # why a problem comes up
    "because_due": ("（復習）", "(review)"),
    "because_failed": ("（前に間違えた問題）", "(failed before)"),
    "because_unseen": ("", ""),
    "because_rating": ("（前に解いた問題）", "(seen before)"),
    "because_day": ("（今日の一題）", "(problem of the day)"),
    "none": ("条件に合う問題がありません。", "No problem matches."),
    "none_until": (
        "いま解く問題はありません。次の復習は {date} です。",
        "Nothing to solve now. The next review is on {date}.",
    ),
    # results
    "due_at": ("次の復習は {date} です。", "The problem comes back on {date}."),
    "timed_status": (
        "残り {minutes}:{seconds}　解いた問題 {solved}",
        "{minutes}:{seconds} left, solved: {solved}",
    ),
    "survival_status": (
        "解いた問題 {solved}　ミス {failed}/{most}",
        "Solved: {solved}, mistakes: {failed} of {most}",
    ),
    "run_end": ("{solved}題解きました。", "Problems solved: {solved}."),
    "run_failed": ("✗ 不正解", "✗ failed"),
    "run_open": ("― 途中", "– not finished"),
    "run_solved": ("✓ 正解", "✓ solved"),
    "again": ("もう一度", "Again"),
    "run_is_best": ("自己最高です。", "That is your best."),
    "run_best": ("自己最高は {best}題です。", "Your best is {best}."),
    # progress
    "progress": ("成績", "Progress"),
    "rating_of": ("{name}　{rating}", "{name}: {rating}"),
    "rating_here": ("{rating}（このブラウザに記録）", "{rating} (kept in this browser)"),
    "nobody": (
        "トレーニングの記録には名前と合言葉が必要です。「今日の一題」はそのまま解けます。",
        "Training needs a name and a passphrase. The problem of the day is for everybody.",
    ),
    "no_results": ("まだ記録がありません。", "No results yet."),
    "rating_chart": (
        "{first} から {last} までのレート。いまは {rating}。",
        "The rating from {first} to {last}, now {rating}.",
    ),
    "best_timed": ("3分間の自己最高: {best}題。", "Best in three minutes: {best}."),
    "best_survival": ("サバイバルの自己最高: {best}題。", "Best in survival: {best}."),
    "by_length": ("手数別", "By length"),
    "by_theme": ("手筋別（解いた問題）", "By theme (problems solved)"),
    "tried": ("挑戦", "Tried"),
    "solved": ("正解", "Solved"),
    "clean": ("一度で正解", "At the first attempt"),
    "calendar": ("「今日の一題」の記録", "Problems of the day"),
    "weekdays": ("月 火 水 木 金 土 日", "Mon Tue Wed Thu Fri Sat Sun"),
    "day_open": ("未挑戦", "not tried"),
    "day_clean": ("一度で正解", "solved at the first attempt"),
    "day_solved": ("正解", "solved"),
    "day_failed": ("不正解", "failed"),
    # persons
    "sign_in_title": ("名前で記録する", "Sign in"),
    "name": ("名前", "Name"),
    "passphrase": ("合言葉（8文字以上）", "Passphrase (at least 8 characters)"),
    "sign_in": ("サインイン", "Sign in"),
    "sign_up": ("新しい名前を登録", "Create this name"),
    "sign_out": ("サインアウト", "Sign out"),
}
