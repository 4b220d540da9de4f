# SPDX-License-Identifier: GPL-3.0-or-later
"""What `tsume serve` says of its addresses, and of what others may do there."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "network": ("ほかの端末からのアドレス: {addresses}", "Addresses for other machines: {addresses}"),
    "no_network": (
        "この端末のネットワーク上のアドレスは分かりません。",
        "The address of this machine on its network is unknown.",
    ),
    "others_solve": (
        "ほかの端末からは閲覧して解くことだけができます。探索と保存はこの端末だけです（--open で許可）。",
        "Others may view and solve problems. Only this machine may search and save (--open allows all).",
    ),
    "others_solve_unsaved": (
        "ほかの端末からは閲覧して解くことだけができます。探索はこの端末だけです。保存は誰もできません。",
        "Others may view and solve problems. Only this machine may search. Nobody can save.",
    ),
    "others_search": (
        "誰でも閲覧して解き、探索できます。保存は誰もできません。",
        "Everybody may view and solve problems, and search. Nobody can save.",
    ),
    "others_save": (
        "誰でも閲覧して解き、探索し、保存できます。パスワードはありません。",
        "Everybody may view and solve problems, search, and save. There is no password.",
    ),
}
