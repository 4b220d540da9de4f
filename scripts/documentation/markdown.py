# SPDX-License-Identifier: GPL-3.0-or-later
"""Headings, anchors and links of a page in Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^(```+).*?^\1 *$\n?", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^()\s]+)\)")
_FOREIGN = re.compile(r"^[a-z]+:")


@dataclass(frozen=True)
class Heading:
    """A heading: its level, its text, its anchor as code hosts spell it, and where its line begins."""

    level: int
    text: str
    anchor: str
    start: int


def code_blocks(text: str) -> list[str]:
    """The fenced blocks of a page."""
    return [match[0] for match in _FENCE.finditer(text)]


def headings(text: str) -> list[Heading]:
    """The headings outside blocks of code, in order."""
    blank = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    used: dict[str, int] = {}
    return [
        Heading(len(match[1]), match[2], _unique(_anchor(match[2]), used), match.start())
        for match in _HEADING.finditer(blank)
    ]


def _anchor(title: str) -> str:
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def _unique(anchor: str, used: dict[str, int]) -> str:
    count = used[anchor] = used.get(anchor, -1) + 1
    return f"{anchor}-{count}" if count else anchor


def title(text: str) -> str:
    """The first heading of a page, without marks."""
    return headings(text)[0].text.replace("`", "")


def with_links(text: str, changed: Callable[[str, str], tuple[str, str]]) -> str:
    """The page with the text and the target of each link changed; foreign links and code stay."""

    def link(match: re.Match[str]) -> str:
        if _FOREIGN.match(match[2]):
            return match[0]
        words, target = changed(match[1], match[2])
        return f"[{words}]({target})"

    return "".join(part if is_code else _LINK.sub(link, part) for part, is_code in _parts(text))


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """The page in pieces, and whether each is a block of code."""
    end = 0
    for match in _FENCE.finditer(text):
        yield text[end : match.start()], False
        yield match[0], True
        end = match.end()
    yield text[end:], False
