# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the folder of a site, as its tests look at it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_EMPTY = {"meta", "link", "img", "input", "br", "hr"}
_POINTING = {
    "href",
    "src",
    "data-api",
    "data-next",
    "data-page",
    "data-picture",
    "data-manifest",
    "data-worker",
}


@dataclass
class Page(HTMLParser):
    """A page: its elements, where it points to, its words inside and outside the answer."""

    path: Path
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    words: str = ""
    answer: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, str | None]] = []
        self.feed(self.path.read_text(encoding="utf-8"))
        self.close()
        self.faults += [f"<{name}> is not closed" for name, _ in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if len(given) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        self.elements.append((tag, given))
        if tag not in _EMPTY:
            self._open.append((tag, given.get("class")))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop()[0] != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_data(self, data: str) -> None:
        if ("details", "answer") in self._open and not any(name == "summary" for name, _ in self._open):
            self.answer += data
        else:
            self.words += data

    @property
    def language(self) -> str | None:
        return next(given.get("lang") for tag, given in self.elements if tag == "html")

    @property
    def addresses(self) -> list[str]:
        """Where it points to, but to itself."""
        found = [
            str(given[name]) for _, given in self.elements for name in _POINTING if name in given
        ]  # fmt: skip
        return [address for address in found if not address.startswith("#")]

    def told(self) -> str:
        """All it says before the answer is opened: words and attributes."""
        return self.words + " ".join(str(text) for _, given in self.elements for text in given.values())


def pages(folder: Path) -> list[Page]:
    return [Page(path) for path in sorted(folder.rglob("*.html"))]


def target(page: Page, address: str) -> Path:
    """The file that a relative address means."""
    parts = urlsplit(address)
    assert not parts.scheme, address
    assert not parts.netloc, address
    assert not parts.path.startswith("/"), address
    return (page.path.parent / unquote(parts.path)).resolve()


def files(folder: Path) -> dict[str, bytes]:
    """All files by name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
