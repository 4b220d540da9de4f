# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases about runs and stores: what `generate`, `runs`, `stats` and `db upgrade` print."""

from __future__ import annotations

from generator.acceptance.reasons import KNOWN_AGAIN, Rejection

RUNS: dict[str, tuple[str, str]] = {
    # the state of a run
    "head": (
        "実行{id} {state}{tried}: {count}題中{found}題、{elapsed:.1f}秒{rate}",
        "run {id} {state}{tried}: {found} of {count} problems in {elapsed:.1f} s{rate}",
    ),
    "rate": ("、毎分{rate:.1f}題", ", {rate:.1f} a minute"),
    "tried": ("、{number}局面を調査", ", {number} positions tried"),
    "running": ("実行中、または強制終了", "running, or killed"),
    "complete": ("完了", "complete"),
    "stopped": ("時間切れ", "out of time"),
    "exhausted": ("候補が尽きて終了", "exhausted"),
    "interrupted": ("中断", "interrupted"),
    "merged": ("ほかの保存先から統合", "merged from another store"),
    "failed_root": ("エラー: {name}", "an error ended {name}"),
    "failed_roots": (
        "エラーで中止した試行 {number}（シード {seed}）。プログラムの誤りです。報告してください:",
        "roots of seed {seed} ended by an error, a bug that should be reported: {number}",
    ),
    "finished": (
        "実行{id}は終わっています: {count}題中{found}題",
        "run {id} is finished: {found} of {count} problems",
    ),
    # its progress
    "looking_for": ("{moves}手詰を創作中", "looking for mates in {moves}"),
    "seed": ("シード {seed}", "seed {seed}"),
    "found": ("{count}題中{found}題（{spent}経過）", "{found} of {count} found in {spent}"),
    "rate_minute": ("毎分{rate:.1f}題", "{rate:.1f} a minute"),
    "rate_hour": ("毎時{rate:.1f}題", "{rate:.1f} an hour"),
    "left": ("残り約{time}", "about {time} left"),
    "until_limit": ("制限時間まで{time}", "{time} until the time limit"),
    "number": ("数", "number"),
    "a_second": ("毎秒", "a second"),
    "part": ("時間: {name}", "time: {name}"),
    "to_go_on": ("続けるには: {command}", "to continue: {command}"),
    "by_walk": (
        "条件付きのため、局面の探索（局所探索）で作ります",
        "with these conditions, problems are composed by local search instead of the network",
    ),
    "by_reverse": (
        "{why}、逆算で作ります（自然な作風は保証されません）",
        "{why}: problems are composed by reverse construction, which does not imitate published ones",
    ),
    "no_network": ("{moves}手詰のモデルがないため", "no model for mates in {moves}"),
    "no_such_walk": ("この条件のモデルがないため", "no model for these conditions"),
    # its figures
    "scores": ("難易度", "scores"),
    "themes": ("手筋", "themes"),
    "rejected": ("不採用", "rejected"),
    "stages": ("工程", "stages"),
    "seconds": ("秒", "seconds"),
    "clauses": ("；", "; "),
    # what was asked for
    "asked": (
        "{moves}手詰を{count}題、シード {seed}、tsume {version}{recipe}",
        "requested: {count} problems of {moves} moves, seed {seed}, tsume {version}{recipe}",
    ),
    "recipe": ("、創作エンジン版 {recipe}", ", generator version {recipe}"),
    "began": ("{began} 開始、{end}、{roots}回試行", "began {began}, {end}, {roots} roots done"),
    "ended": ("{moment} 終了", "ended {moment}"),
    "not_ended": ("未終了", "not ended"),
    "grade": ("判定: {value}", "grade: {value}"),
    "style": ("作風: {value}", "style: {value}"),
    "wishes": ("条件: {wishes}", "conditions: {wishes}"),
    "extends": ("短い作品{number}題を逆算で延長", "extends {number} shorter problems"),
    "ends_in": ("詰上り {final}", "ends in {final}"),
    "ends_exactly_in": ("詰上り {final}（ほかの駒なし）", "ends exactly in {final}"),
    "around": ("元の配置 {sfen}{keeping}", "composed around {sfen}{keeping}"),
    "keeping": ("（{squares} は固定）", ", keeping {squares}"),
    # columns
    "column_id": ("番号", "id"),
    "column_moves": ("手数", "moves"),
    "column_found": ("採用", "found"),
    "column_of": ("目標", "of"),
    "column_roots": ("試行", "roots"),
    "column_seconds": ("秒", "seconds"),
    "column_state": ("状態", "state"),
    "column_began": ("開始", "began"),
    "column_seed": ("シード", "seed"),
    "column_version": ("版", "version"),
    # a store
    "backed_up": ("{store} を {file} に保存しました（{size} KB）", "{store}: saved to {file}, {size} kB"),
    "upgraded": ("{name}: {before} から {after} へ", "{name}: from {before} to {after}"),
    "empty": ("空", "empty"),
}

STYLES: dict[str, tuple[str, str]] = {"natural": ("自然", "natural"), "free": ("自由", "free")}
"""The styles by their values."""


# --- why candidates are rejected, and the names of the stages and parts of a run -------------------

_REASONS = {
    Rejection.NO_FINAL: "詰上り図を作れない",
    Rejection.NOT_MENDED: "作品に修正できない",
    Rejection.NO_WAY_BACK: "詰上りに至る王手がない",
    Rejection.SHORTER_DEFENCE: "逆算した応手が最長でない",
    Rejection.LONGER_DEFENCE: "ほかに手数の長い応手がある",
    Rejection.OTHER_DEFENCE: "ほかの最長の応手に余詰か駒余りがある",
    Rejection.ALREADY_SEEN: "同じ試行で既出",
    Rejection.MATE_IN_ONE: "1手で詰む",
    Rejection.MATE_IN_THREE: "3手で詰む",
    Rejection.SHORTER_MATE: "早詰",
    Rejection.SECOND_MATE: "同手数または少し長い余詰",
    Rejection.LONGER_COOK: "長手数の余詰",
    Rejection.LEFTOVER: "駒余り",
    Rejection.STARTS_IN_CHECK: "初形王手",
    Rejection.GREY: "無駄合の解釈で答えが変わる",
    Rejection.NOT_CORRECT: "最終検討で欠陥が判明",
    Rejection.NOT_EXCLUDED: "長手数の余詰を否定できない",
    Rejection.UNRESOLVED: "制限内に結論が出ない",
    Rejection.PLAIN_QUALITY: "質が下限に届かない",
    Rejection.NOT_WISHED: "条件に合わない",
    Rejection.SAME_LINE: "手順がほかの作品と同じ",
    Rejection.SAME_PROBLEM: "駒の配置、または初手と詰上りがほかの作品と同じ",
    Rejection.REPEATED: "手順の中で同じ手筋を繰り返す",
    Rejection.UNLIKELY: "人の作品らしくない",
    Rejection.SAME_FRAME: "初手と詰上りが同じ試行の作品と同じ",
    Rejection.NOT_CONFIRMED: "再検討で結果が一致しない",
    Rejection.DUPLICATE: "既出、または登録済み",
    Rejection.FAILED: "プログラムのエラーで試行を中止",
}
REASONS: dict[str, tuple[str, str]] = {
    reason.value: (text, reason.value) for reason, text in _REASONS.items()
}
"""The reasons by the texts under which they are counted."""

STAGES: dict[str, tuple[str, str]] = {
    name: (text, name)
    for name, text in {
        "roots": "試行",
        "candidates": "候補",
        "defences": "応手",
        "finalists": "最終候補",
        "problems": "作品",
        "made plain": "成駒を生駒にした作品",
        KNOWN_AGAIN: "既出",
        "roots since the last problem": "最後の作品以後の試行",
        "known since the last problem": "最後の作品以後の既出",
        "draw": "局面の生成",
        "walk": "局所探索",
        "grow": "逆算",
        "choose": "候補の選択",
        "settle": "余詰の検討",
        "minimise": "不要駒の除去",
        "plain": "生駒への置換",
        "judge": "最終検討",
        "confirm": "再検討",
        "appraise": "質の採点",
        "score": "難易度の採点",
    }.items()
}
"""The stages and parts of the work by the names under which they are counted."""


# --- the phrases for runs that found nothing, and for how long themes take -------------------------

NEAREST: dict[str, tuple[str, str]] = {
    "head": ("条件を一つ変えると:", "with one condition changed:"),
    "without": ("{option} なし", "without {option}"),
    "without_piece": ("{piece}を固定しない", "without {piece}"),
    "start_hand": ("元の配置の持駒を限定しない", "with any hand"),
    "length": ("-m {value}", "with -m {value}"),
    "style": ("--style {value}", "with --style {value}"),
    "none": (
        "どの条件を一つ変えても{seconds:g}秒以内には見つかりません",
        "changing any one condition finds nothing within {seconds:g} s either",
    ),
    "time": ("{length}手詰でほぼ{seconds}秒以内", "nearly always within {seconds} s at {length} moves"),
    "seldom": (
        "まれ（{first}〜{last}手詰では{seconds}秒以内に得られない）",
        "rare (none within {seconds} s at {first} to {last} moves)",
    ),
    "alone": ("創作: {time}", "composing: {time}"),
}


# --- the phrases of `tsume stats` ------------------------------------------------------------------

STATISTICS: dict[str, tuple[str, str]] = {
    "one_problem": ("{number}題", "{number} problem"),
    "problems": ("{number}題", "{number} problems"),
    "graded": ("{problems}（{grades}）", "{problems} ({grades})"),
    "of_grade": ("{grade} {number}", "{number} {grade}"),
    "one_run": ("実行{number}回", "{number} run"),
    "runs": ("実行{number}回", "{number} runs"),
    "with_unfinished": ("{runs}（{unfinished}）", "{runs} ({unfinished})"),
    "unfinished": ("未完", "unfinished"),
    "some_unfinished": ("未完{number}", "{number} unfinished"),
    "one_candidate": ("候補{number}", "{number} candidate"),
    "candidates": ("候補{number}", "{number} candidates"),
    # tables
    "scores_by_length": ("手数別の難易度", "Scores by length"),
    "quality": ("質", "Quality"),
    "themes": ("手筋", "Themes"),
    "rejections": ("不採用", "Rejections"),
    "all": ("全体", "all"),
    "theme": ("手筋", "theme"),
    "reason": ("理由", "reason"),
    "number": ("数", "number"),
    "column_moves": ("手数", "moves"),
    "column_problems": ("題数", "problems"),
    "column_mean": ("平均", "mean"),
    "column_lowest": ("最小", "lowest"),
    "column_quartile": ("四分位", "quartile"),
    "column_median": ("中央値", "median"),
    "column_highest": ("最大", "highest"),
}


# --- the words on the picture of `tsume stats --plot` ----------------------------------------------

CHARTS: dict[str, tuple[str, str]] = {
    "title": ("{problems}題、候補{candidates}", "{problems} problems, {candidates} candidates examined"),
    "scores": ("手数別の難易度", "scores by length"),
    "moves": ("手数", "moves"),
    "score": ("難易度", "score"),
    "quality": ("質", "quality"),
    "quality_range": ("質（0から100）", "quality, 0 to 100"),
    "problems": ("題数", "problems"),
    "themes": ("手筋", "themes"),
    "reasons": ("不採用の理由", "reasons for rejection"),
    "most_frequent": ("{title}（多い順に{number}）", "{title} (the {number} most frequent)"),
    "none": ("なし", "none"),
}
