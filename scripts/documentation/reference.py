# SPDX-License-Identifier: GPL-3.0-or-later
"""The page with the functions and results of `tsume.library`, whose text Sphinx takes from the docstrings."""

from __future__ import annotations

LIBRARY = "tsume.library"

GROUPS: tuple[tuple[dict[str, str], tuple[str, ...]], ...] = (
    (
        {"en": "Analysing a position", "ja": "局面を調べる"},
        ("solve", "Solution", "check", "Judged", "score", "Scored"),
    ),
    (
        {"en": "Explaining a solution", "ja": "解答を説明する"},
        ("explain", "Explained", "tree", "Tree", "Turn", "Check", "Answer"),
    ),
    (
        {"en": "Changing a problem", "ja": "作品に手を入れる"},
        ("mend", "Mended", "Repair", "enrich", "Enriched", "Suggestion"),
    ),
    ({"en": "Composing", "ja": "創作する"}, ("generate", "Composed")),
    (
        {"en": "Drawing and recording", "ja": "図面と棋譜"},
        ("draw", "Svg", "Png", "gallery", "Gallery", "record", "read"),
    ),
    ({"en": "Certificates", "ja": "証明書"}, ("certify", "verify", "Certified")),
)
"""Titles by language, and the names of functions and of what they return."""

_TEXT_AND_BYTES = ("Svg", "Png")
"""Subclasses of `str` and `bytes`, whose members and signatures are those of Python."""

INTRODUCTION = {
    "en": """# API reference

The functions of `tsume.library` and what they return. [Using tsume from Python](library.md) has an
example, and what all functions have in common.
""",
    "ja": """# API リファレンス

`tsume.library` の関数と、その戻り値です。使用例と各関数に共通の事項は[Python からの利用](library.md)に
あります。説明は docstring から作ったもので、英語です。
""",
}


def reference_page(language: str) -> str:
    """The page in Markdown, with directives for Sphinx."""
    groups = "".join(
        f"\n## {title[language]}\n\n" + "".join(map(_directive, names)) for title, names in GROUPS
    )
    return INTRODUCTION[language] + groups


def _directive(name: str) -> str:
    kind, options = ("class", "   :members:\n   :undoc-members:\n") if name[0].isupper() else ("function", "")
    if name in _TEXT_AND_BYTES:
        name, options = f"{name}()", ""
    return f"```{{eval-rst}}\n.. auto{kind}:: {LIBRARY}.{name}\n{options}```\n\n"
