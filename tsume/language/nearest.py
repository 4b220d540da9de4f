# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases for runs that found nothing, and for how long themes take."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
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
