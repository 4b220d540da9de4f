# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume merge`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "looking": ("{store} を調べています", "reading {store}"),
    "writing": ("{store} に書いています", "writing to {store}"),
    "other": (
        "{number}題は {made} で作られたもので、この版（{this}）とは採点が異なることがあります",
        "{number} problems were made by {made}; this is {this}, whose scores may differ",
    ),
    "recipe": ("tsume {version}、創作エンジン版 {recipe}", "tsume {version}, generator version {recipe}"),
    "no_recipe": ("tsume {version}", "tsume {version}"),
    "done": (
        "{store}: {copies}題のうち{new}題を登録、{replaced}題を先に見つかったものと置き換え、"
        "{noted}題にメモを追加しました",
        "{store}: {copies} problems read, {new} new, {replaced} replaced later finds, {noted} "
        "added notes to stored problems",
    ),
    "training": (
        "{store}: {persons}人、解答結果{results}件、タイムアタック・サバイバル{runs}回、復習{cards}件を"
        "追加しました",
        "{store}: {persons} persons, {results} results, {runs} timed or survival runs and {cards} "
        "repetitions added",
    ),
    "rated": (
        "{store}: レートは、すべての結果から時刻の順に計算し直しました",
        "{store}: the ratings were computed again from all results in the order of time",
    ),
    "renamed": (
        "「{old}」という名前は別の人が使っているので、あとから登録した人を「{new}」としました",
        "another person has the name {old}: the one who came later is now called {new}",
    ),
    "no_tags": (
        "タグ{number}個は、一題のタグが多すぎるため入りませんでした",
        "{number} tags were left out: a problem has too many",
    ),
    "no_notes": (
        "メモ{number}文字は、長すぎるため入りませんでした",
        "{number} characters of notes were left out: they are too long",
    ),
    "no_versions": (
        "{number}題の版の関係は、循環するため入りませんでした",
        "{number} problems would be versions of themselves: they are linked to no other problem",
    ),
    "left_cards": (
        "復習{number}件は、その問題がないため入りませんでした",
        "{number} repetitions were left out: their problems are not in the store",
    ),
    "left_run_lines": (
        "実行の記録{number}行は移しません。実行の再開は元の保存先で行います",
        "{number} lines of runs are not copied: runs are resumed in their own store",
    ),
    "left_problem_trees": (
        "変化の木{number}件は移しません。開いたときに作り直します",
        "{number} trees of replies are not copied: they are made again when they are opened",
    ),
    "left_sessions": (
        "サインイン{number}件は移しません。サインインし直してください",
        "{number} sign-ins are not copied: browsers have to sign in again",
    ),
}
