"""The words on the pages of `tsume site` that those of `tsume serve` do not have."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "answer": ("解答を見る", "Show the answer"),
    "licence": ("権利について", "Licence"),
    "feed": ("更新情報 (Atom)", "Feed (Atom)"),
    "made_by": ("{program}で作成", "Made by {program}"),
    # lists
    "count": ("全{number}題", "{number} in all"),
    "all": ("すべて", "All"),
    "by_length": ("手数別", "By length"),
    "by_theme": ("手筋別", "By theme"),
    "order_given": ("掲載順", "As listed"),
    "pages": ("ページ", "Pages"),
    "day": ("今日の一題", "Problem of the day"),
    # the licence file
    "comma": ("、", ", "),
    "rights": (
        "問題の権利について、この頁を公開した人の定めはありません。",
        "Who published these pages says nothing of rights in the problems.",
    ),
    "composed": (
        "{number}題はプログラム tsume（{versions}）が作ったものです。プログラムのライセンスは、作られた問題には及びません。",
        "{number} of the problems were composed by the program tsume ({versions}). The licence of the program does "
        "not extend to what it composes.",
    ),
    "by_people": (
        "{number}題は取り込まれたものです。権利はそれぞれの作者にあります。",
        "{number} of the problems were imported. The rights in them are their composers'.",
    ),
    "authors": ("作者: {names}", "Authors: {names}"),
    "program": (
        "これらのページのスクリプトとスタイル（static フォルダー）は {program} の一部で、GNU General Public License "
        "第3版またはそれ以降で利用できます（static/GPL-3.txt、https://www.gnu.org/licenses/）。そのままがソースです。",
        "The scripts and styles of these pages (in the folder static) are part of {program}, under the GNU General "
        "Public License, version 3 or later (static/GPL-3.txt, https://www.gnu.org/licenses/). They are their own "
        "source.",
    ),
    "font": (
        "駒の文字の形は IPAex ゴシック（IPAフォントライセンス v1.0）から取ったものです。フォントそのものは含まれていません。",
        "The shapes of the signs on the pieces are taken from IPAexGothic (IPA Font License v1.0). The font itself "
        "is not here.",
    ),
}
