# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases about stored problems: `show`, `edit`, `list`, `score`, `themes`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "number": ("No. {id}", "No. {id}"),
    "not_settled": ("検討が完了していません", "not fully examined"),
    "graded": ("{grade}: {remarks}", "{grade}: {remarks}"),
    # what a person wrote
    "title": ("作品名: {text}", "title: {text}"),
    "author": ("作者: {text}", "author: {text}"),
    "source": ("出典: {text}", "source: {text}"),
    "tags": ("タグ: {text}", "tags: {text}"),
    "version_of": ("原図: {text}", "version of: {text}"),
    "versions": ("改作図: {text}", "versions: {text}"),
    "notes": ("メモ: {text}", "notes: {text}"),
    # columns
    "column_id": ("番号", "id"),
    "column_moves": ("手数", "moves"),
    "column_score": ("難易度", "score"),
    "column_stars": ("星", "stars"),
    "column_quality": ("質", "quality"),
    "column_rating": ("レート", "rating"),
    "column_plays": ("挑戦数", "plays"),
    "column_grade": ("判定", "grade"),
    "column_title": ("作品名", "title"),
    "column_sfen": ("SFEN", "sfen"),
}
