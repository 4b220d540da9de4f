# SPDX-License-Identifier: GPL-3.0-or-later
"""The words on the pages of `tsume site` that those of `tsume serve` do not have."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "licence": ("権利について", "Licence"),
    "feed": ("更新情報 (Atom)", "Feed (Atom)"),
    "made_by": ("{program}で作成", "Made by {program}"),
    # lists
    "all": ("すべて", "All"),
    "by_length": ("手数別", "By length"),
    "by_theme": ("手筋別", "By theme"),
    "order_given": ("掲載順", "As listed"),
    "pages": ("ページ", "Pages"),
    # the licence file
    "comma": ("、", ", "),
    "offline": ("ネットワークにつながっていません", "There is no network"),
    "offline_text": (
        "このページはまだ開いたことがないため、いまは表示できません。開いたことのある問題と、"
        "トレーニング、創作のページは使えます。",
        "This page was not opened before and cannot be shown now. Problems that were opened work, "
        "and so do the pages for training and composing.",
    ),
    "rights": (
        "公開者は、問題の利用条件を示していません。",
        "The publisher of these pages has not stated the terms under which the problems may be used.",
    ),
    "composed": (
        "{number}題はプログラム tsume（{versions}）が創作しました。プログラムのライセンスは、創作"
        "された作品には及びません。",
        "{number} of the problems were composed by the program tsume ({versions}). The program's "
        "licence does not extend to the problems it composes.",
    ),
    "by_people": (
        "{number}題はほかから取り込んだもので、権利はそれぞれの作者にあります。",
        "{number} of the problems were imported; the rights in them belong to their composers.",
    ),
    "authors": ("作者: {names}", "Authors: {names}"),
    "program": (
        "このページのスクリプトとスタイル（static フォルダー）は {program} の一部で、GNU General "
        "Public License 第3版またはそれ以降のもとで利用できます（gnu.org/licenses）。置かれている"
        "ものがそのままソースです。",
        "The scripts and styles of these pages (in the folder static) are part of {program}, "
        "under the GNU General Public License, version 3 or later (gnu.org/licenses). The files "
        "there are their source.",
    ),
    "font": (
        "駒と座標の文字の形は IPAexゴシック（IPAフォントライセンス v1.0）によるものです。フォント"
        "そのものは含まれていません。",
        "The shapes of the characters on pieces and boards come from IPAexGothic (IPA Font "
        "License v1.0). The font itself is not part of these pages.",
    ),
}
