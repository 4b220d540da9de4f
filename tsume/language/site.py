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
        "問題の利用条件は、公開者によって示されていません。",
        "Whoever published these pages has not said under which terms the problems may be used.",
    ),
    "composed": (
        "{number}題はプログラム tsume（{versions}）の創作です。"
        "プログラムのライセンスは、それが創作した問題には及びません。",
        "{number} of the problems were composed by the program tsume ({versions}). Its licence does not "
        "extend to what it composes.",
    ),
    "by_people": (
        "{number}題はほかから取り込んだもので、権利はそれぞれの作者にあります。",
        "{number} of the problems were imported. The rights in them are their composers'.",
    ),
    "authors": ("作者: {names}", "Authors: {names}"),
    "program": (
        "このページのスクリプトとスタイル（static フォルダー）は {program} の一部で、"
        "GNU General Public License 第3版またはそれ以降のもとで利用できます（gnu.org/licenses）。"
        "置かれているものがそのままソースです。",
        "The scripts and styles of these pages (in the folder static) are part of {program}, under the GNU "
        "General Public License, version 3 or later (gnu.org/licenses). What is there is their "
        "source.",
    ),
    "font": (
        "駒と座標の文字の形は IPAexゴシック（IPAフォントライセンス v1.0）によるものです。"
        "フォントそのものは含まれていません。",
        "The shapes of the signs on pieces and boards are those of IPAexGothic (IPA Font License v1.0). The "
        "font itself is not part of these pages.",
    ),
}
