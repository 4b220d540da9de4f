# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of answers in notebooks."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "score": ("難易度 {score:.1f} {stars}", "score {score:.1f} {stars}"),
    "turns": ("局面数 {number}", "turns: {number}"),
    "repairs": ("修正案 {number}", "repairs: {number}"),
    "suggestions": ("改良案 {number}", "suggestions: {number}"),
    "explanation": ("解説", "Explanation"),
}
