# SPDX-License-Identifier: GPL-3.0-or-later
"""The navigation: which page is in which section, and what the sections are called."""

from __future__ import annotations

LANGUAGES = ("en", "ja")

REFERENCE = "api"
"""The page with the functions and results of `tsume.library`, which is made from their docstrings."""

SECTIONS: tuple[tuple[dict[str, str], tuple[str, ...]], ...] = (
    ({"en": "Start", "ja": "はじめに"}, ("readme", "commands", "glossary")),
    ({"en": "Solve and train", "ja": "解く・鍛える"}, ("board", "tree", "usi")),
    ({"en": "Compose", "ja": "創作する"}, ("workbench", "composing", "themes", "difficulty", "scale")),
    ({"en": "Books, cards, pictures", "ja": "本・カード・図面"}, ("pictures",)),
    (
        {"en": "Sites and data sets", "ja": "サイトとデータ"},
        ("collection", "site", "publishing", "backup", "browser"),
    ),
    ({"en": "Python", "ja": "Python"}, ("library", REFERENCE)),
    ({"en": "Reference", "ja": "リファレンス"}, ("cli", "rules", "certificates")),
    (
        {"en": "Methods and measurements", "ja": "手法と計測"},
        ("mate-search", "benchmarks", "papers/index", "references"),
    ),
    ({"en": "Contributing", "ja": "開発"}, ("contributing", "architecture", "security", "changelog")),
)
"""Titles by language, and names of pages; one that does not exist is passed over."""

OTHERS = {"en": "More", "ja": "その他"}
"""The section of pages that no other section has."""


def sections(names: set[str]) -> list[tuple[dict[str, str], list[str]]]:
    """The sections of a site that has these pages; those in a folder are below the index of the folder."""
    listed = {name for _, pages in SECTIONS for name in pages}
    others = sorted(name for name in names - listed - {"index"} if "/" not in name)
    found = [(title, [name for name in pages if name in names]) for title, pages in SECTIONS]
    return found + ([(OTHERS, others)] if others else [])


TITLES: dict[str, dict[str, str]] = {
    "readme": {"en": "Installation and first steps", "ja": "導入と最初の一歩"},
    "collection": {"ja": "第一集"},
    "difficulty": {"ja": "難易度"},
    "scale": {"ja": "多数のコアと複数のコンピューター"},
    "usi": {"ja": "USI エンジン"},
    "backup": {"ja": "バックアップと復元"},
    "browser": {"ja": "ブラウザの中のソルバー"},
    "cli": {"ja": "コマンドの全解説"},
    "certificates": {"ja": "証明書"},
    "mate-search": {"ja": "探索の構成要素"},
    "benchmarks": {"ja": "速度の計測"},
    "papers/index": {"ja": "論文の追試"},
    "references": {"ja": "参考文献"},
    "contributing": {"ja": "開発の手引き"},
    "architecture": {"ja": "プログラムの構成"},
    "security": {"ja": "脆弱性の報告"},
    "changelog": {"ja": "変更履歴"},
}
"""Titles in navigation and links, by language, of pages whose first heading does not serve there."""


def navigation(names: set[str], language: str) -> str:
    """The sections as hidden tables of contents, for the end of the first page."""
    return "".join(
        _table(title[language], [_entry(name, language) for name in pages])
        for title, pages in sections(names)
    )


def _entry(name: str, language: str) -> str:
    title = TITLES.get(name, {}).get(language)
    return f"{title} <{name}>" if title else name


def _table(caption: str, pages: list[str]) -> str:
    listed = "\n".join(pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{listed}\n```\n"
