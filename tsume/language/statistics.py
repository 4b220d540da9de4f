# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume stats`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
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
