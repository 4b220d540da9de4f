# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the repository as sources of a site, in English and Japanese."""

from __future__ import annotations

import posixpath
import re
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


class CannotBuildPages(ValueError):
    """The documentation cannot be built, for a reason that is worth one message."""


# --- navigation: which page is in which section ----------------------------------------------------

LANGUAGES = ("en", "ja")

REFERENCE = "api"
"""The page with the functions and results of `tsume.library`, which is made from their docstrings."""

SECTIONS: tuple[tuple[dict[str, str], tuple[str, ...]], ...] = (
    ({"en": "Start", "ja": "はじめに"}, ("readme", "commands", "glossary")),
    ({"en": "Solve and train", "ja": "解く・鍛える"}, ("board", "games", "tree", "usi")),
    (
        {"en": "Compose", "ja": "創作する"},
        ("workbench", "composing", "themes", "difficulty", "long_composing", "scale"),
    ),
    ({"en": "Books, cards, pictures", "ja": "本・カード・図面"}, ("pictures",)),
    ({"en": "Sites and data sets", "ja": "サイトとデータ"}, ("collection", "site", "publishing", "backup", "browser")),
    ({"en": "Python", "ja": "Python"}, ("library", REFERENCE)),
    ({"en": "Reference", "ja": "リファレンス"}, ("cli", "rules", "certificates")),
    (
        {"en": "Methods and measurements", "ja": "手法と計測"},
        ("mate-search", "benchmarks", "papers/index", "references"),
    ),
    ({"en": "Contributing", "ja": "開発"}, ("contributing", "architecture", "internals", "security", "changelog")),
)
"""Titles by language, and names of pages; one that does not exist is passed over."""

OTHERS = {"en": "More", "ja": "その他"}
"""The section of pages that no other section has."""


def sections(names: set[str]) -> list[tuple[dict[str, str], list[str]]]:
    """Return the sections of a site that has these pages; those in a folder are below its index."""
    listed = {name for _, pages in SECTIONS for name in pages}
    others = sorted(name for name in names - listed - {"index"} if "/" not in name)
    found = [(title, [name for name in pages if name in names]) for title, pages in SECTIONS]
    return found + ([(OTHERS, others)] if others else [])


TITLES: dict[str, dict[str, str]] = {
    "readme": {"en": "Installation and first steps", "ja": "導入と最初の一歩"},
    "collection": {"ja": "第二集"},
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
    "internals": {"ja": "仕組み"},
    "security": {"ja": "脆弱性の報告"},
    "changelog": {"ja": "変更履歴"},
}
"""Titles in navigation and links, by language, of pages whose first heading does not serve there."""


def navigation(names: set[str], language: str) -> str:
    """Return the sections as hidden tables of contents, for the end of the first page."""
    tables = []
    for title, pages in sections(names):
        titles = {name: TITLES.get(name, {}).get(language) for name in pages}
        listed = "\n".join(f"{text} <{name}>" if text else name for name, text in titles.items())
        tables.append(f"\n```{{toctree}}\n:hidden:\n:caption: {title[language]}\n\n{listed}\n```\n")
    return "".join(tables)


# --- Markdown: headings, anchors, links ------------------------------------------------------------

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
    return [match[0] for match in _FENCE.finditer(text)]


def headings(text: str) -> list[Heading]:
    """Return the headings outside blocks of code, in order."""
    blank = _FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    used: Counter[str] = Counter()
    found = []
    for match in _HEADING.finditer(blank):
        anchor = re.sub(r"[^\w -]", "", match[2].lower()).replace(" ", "-")
        unique = f"{anchor}-{used[anchor]}" if used[anchor] else anchor
        used[anchor] += 1
        found.append(Heading(len(match[1]), match[2], unique, match.start()))
    return found


def with_changed_links(text: str, changed: Callable[[str, str], tuple[str, str]]) -> str:
    """Return the page with the text and the target of each link changed; foreign links and code stay."""

    def link(match: re.Match[str]) -> str:
        if _FOREIGN.match(match[2]):
            return match[0]
        words, target = changed(match[1], match[2])
        return f"[{words}]({target})"

    pieces, end = [], 0
    for code in _FENCE.finditer(text):
        pieces += [_LINK.sub(link, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*pieces, _LINK.sub(link, text[end:])])


# --- pages and their translations ------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TOP = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
"""Pages that are not in docs/."""
RENAMED = {"search": "mate-search"}
"""Names in the site of pages whose own name is that of a page by Sphinx."""


@dataclass(frozen=True)
class Page:
    """A page: its name in the site, such as ``papers/index``, and its file in English."""

    name: str
    path: Path

    @cached_property
    def translation(self) -> Path | None:
        path = self.path.with_suffix(".ja.md")
        return path if path.exists() else None

    def text(self, language: str = "en") -> str:
        path = self.translation if language == "ja" and self.translation else self.path
        return path.read_text(encoding="utf-8")

    def headings(self, language: str) -> list[Heading]:
        """Return the headings of the page in the site: those of a translation, then what it leaves out."""
        original = headings(self.text())
        if language == "en" or self.translation is None:
            return original
        translated = headings(self.text(language))
        return translated + original[len(translated) :]

    def title(self, language: str) -> str:
        return TITLES.get(self.name, {}).get(language) or headings(self.text(language))[0].text.replace("`", "")

    def heading(self, anchor: str, language: str) -> Heading:
        """Return the heading in a language that has this anchor in any. Raises LookupError if there is none.

        Translations have the headings of the original in the same order, up to where they stop.
        """
        for spelling in (language, "en", "ja"):
            for place, one in enumerate(self.headings(spelling)):
                if one.anchor == anchor:
                    return self.headings(language)[place]
        raise LookupError(f"{self.path.name} has no heading {anchor}")

    def rest(self) -> str:
        """What a translation leaves out: the English text from the heading at which it stops."""
        original, translated = headings(self.text()), headings(self.text("ja"))
        return self.text()[original[len(translated)].start :] if len(translated) < len(original) else ""


def pages() -> dict[str, Page]:
    """Return all pages by the path of their file in the repository, in English and in Japanese."""
    found: dict[str, Page] = {}
    for path in [*(ROOT / name for name in TOP), *sorted(DOCS.rglob("*.md"))]:
        if path.name.endswith(".ja.md"):
            continue
        base = DOCS if path.is_relative_to(DOCS) else ROOT
        name = path.relative_to(base).with_suffix("").as_posix()
        page = Page(RENAMED.get(name, name) if base == DOCS else name.lower(), path)
        for one in (path, page.translation):
            if one is not None:
                found[one.relative_to(ROOT).as_posix()] = page
    return found


def target_path(page: Page, target: str) -> str:
    folder = page.path.parent.relative_to(ROOT).as_posix()
    return posixpath.normpath(posixpath.join(folder, target))


# --- the reference of `tsume.library`, whose text Sphinx takes from the docstrings -----------------

LIBRARY = "tsume.library"

GROUPS: tuple[tuple[dict[str, str], tuple[str, ...]], ...] = (
    ({"en": "Position analysis", "ja": "局面を調べる"}, ("solve", "Solution", "check", "Judgement", "score", "Score")),
    (
        {"en": "Explaining a solution", "ja": "解答を説明する"},
        ("explain", "Explanation", "tree", "Tree", "Turn", "Check", "Answer"),
    ),
    (
        {"en": "Changing a problem", "ja": "作品に手を入れる"},
        ("mend", "MendedPosition", "Repair", "enrich", "EnrichedProblem", "Suggestion"),
    ),
    ({"en": "Mates in games", "ja": "対局の詰み"}, ("games", "Game", "GameMate")),
    ({"en": "Composing", "ja": "創作する"}, ("generate", "ComposedProblem")),
    (
        {"en": "Drawing and recording", "ja": "図面と棋譜"},
        ("draw", "Svg", "Png", "gallery", "Gallery", "record", "read"),
    ),
    ({"en": "Certificates", "ja": "証明書"}, ("certify", "verify", "CertifiedProblem")),
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
    """Return the page in Markdown, with directives for Sphinx."""
    text = INTRODUCTION[language]
    for title, names in GROUPS:
        text += f"\n## {title[language]}\n\n"
        for name in names:
            kind = "class" if name[0].isupper() else "function"
            is_plain = name in _TEXT_AND_BYTES
            options = "   :members:\n   :undoc-members:\n" if kind == "class" and not is_plain else ""
            call = "()" if is_plain else ""
            text += f"```{{eval-rst}}\n.. auto{kind}:: {LIBRARY}.{name}{call}\n{options}```\n\n"
    return text


# --- the pages of a language as a folder for Sphinx ------------------------------------------------

LOCALES = Path(__file__).parent / "locales"
PICTURES = {".png", ".svg"}
UNTRANSLATED = "```{note}\nこのページはまだ日本語になっていません。英語で表示しています。\n```\n"
REST = "\n```{note}\nここから先の節は、まだ日本語になっていません。英語で表示しています。\n```\n\n"
_OTHER_LANGUAGE = re.compile(r"^\[[^]]*\]\([\w.]+\.md\)\n\n", re.MULTILINE)
"""The link at the head of a page to its translation: the site has a switch."""
_PART = {"en": ": {}", "ja": "「{}」"}
"""How the text of a link names a section of a page."""
_PATH = re.compile(r"`?[\w./-]+\.md`?")
_IMAGE = re.compile(r'(<img\s[^>]*?src=")(?:docs/)?')


@dataclass(frozen=True)
class PageWriter:
    """Writes the pages of a language into a folder."""

    folder: Path
    language: str

    def write(self) -> None:
        """Write all pages, the reference, the pictures, and files that links name."""
        known = pages()
        for page in set(known.values()):
            self._write(page.name, self.page_text(page, known))
        self._write(REFERENCE, reference_page(self.language))
        shutil.copytree(LOCALES, self.folder / LOCALES.name)
        for path in DOCS.rglob("*"):
            if path.suffix in PICTURES:
                self._copy(path, path.relative_to(DOCS).as_posix())

    def page_text(self, page: Page, known: dict[str, Page]) -> str:
        text = page.text(self.language)
        if self.language != "en" and page.translation is None:
            first, _, others = text.partition("\n")
            text = f"{first}\n\n{UNTRANSLATED}{others}"
        elif self.language != "en" and (rest := page.rest()):
            text += REST + rest
        text = _OTHER_LANGUAGE.sub("", text)
        text = with_changed_links(text, lambda words, target: self._link(page, known, words, target))
        text = _IMAGE.sub(r"\1", text)
        names = {one.name for one in known.values()} | {REFERENCE}
        folder, _, name = page.name.rpartition("/")
        if page.name == "index":
            text += navigation(names, self.language)
        elif folder and name == "index":  # of a folder, whose pages are below it
            below = sorted(one.removeprefix(f"{folder}/") for one in names if one.startswith(f"{folder}/"))
            listed = "\n".join(one for one in below if one != "index")
            text += f"\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
        return text

    def _link(self, page: Page, known: dict[str, Page], words: str, target: str) -> tuple[str, str]:
        """Return a link: to a page by its name, to the heading of that language, other files copied."""
        path, _, anchor = target.partition("#")
        found = known.get(target_path(page, path)) if path else page
        if found is None:
            name = posixpath.join("files", posixpath.basename(path))
            self._copy(ROOT / target_path(page, path), name)
            return words, posixpath.relpath(name, posixpath.dirname(page.name) or ".")
        heading = found.heading(anchor, self.language) if anchor else None
        if _PATH.fullmatch(words):
            words = found.title(self.language) + (_PART[self.language].format(heading.text) if heading else "")
        to = posixpath.relpath(f"{found.name}.md", posixpath.dirname(page.name) or ".") if path else ""
        return words, f"{to}#{heading.anchor}" if heading else to

    def _copy(self, path: Path, name: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, self.folder / name)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
