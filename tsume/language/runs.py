# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases about runs and stores: `generate`, `runs`, `stats`, `import`, `db upgrade`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
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
