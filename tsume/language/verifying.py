# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume verify`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "mate": ("{plies}手詰", "mate in {plies} moves"),
    "no_mate_ever": ("何手でも不詰", "no mate at any length"),
    "no_mate_within": ("{plies}手以内に詰みなし", "no mate within {plies} moves"),
    "leftover": ("駒余り", "pieces are left in hand"),
    "unique_ever": ("余詰なし（手数無制限）", "no second solution at any length"),
    "unique_within": ("{plies}手以内に余詰なし", "no second solution within {plies} moves"),
    "second": (
        "{number}手目 {key} に代えて {check} でも{plies}手で詰む",
        "{check} instead of {key} at move {number} mates in {plies}",
    ),
}
