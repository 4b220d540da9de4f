# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume site: the folder it makes, replaces, refuses."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("jinja2", reason="tsume-shogi[site] is not installed")

from tests.tsume.conftest import Run
from tests.tsume.site.folders import Page, files
from tsume.commands.web import solver_scripts
from tsume.files.writing import FolderDraft

_ATOM = "{http://www.w3.org/2005/Atom}"
_MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "site"


def make(tsume: Run, store: Path, out: Path, *options: object) -> str:
    done = tsume("site", "--db", store, "-o", out, "-j", 1, *options)
    assert done.exit_code == 0, done.output
    return done.output


def test_it_says_what_it_made(tsume: Run, made: Path, out: Path) -> None:
    done = tsume("site", "--db", made, "-o", out, "-j", 1)
    assert done.stderr == f"{out}: without --url, no feed and no sitemap are made\n"
    size = sum(map(len, files(out).values())) - (out / ".tsume-site").stat().st_size
    assert done.stdout == f"{out}: 6 problems, {size / 1e6:.1f} MB; open {out}/index.html\n"
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_the_same_store_gives_the_same_bytes(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out, "--lang", "both", "--url", "https://example.org/a")
    first = files(out)
    done = tsume(
        "site", "--db", made, "-o", out, "-j", 2, "--lang", "both", "--url", "https://example.org/a/"
    )
    assert done.exit_code == 0
    assert files(out) == first


def test_problems_are_selected_and_sorted(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out, "-m", 3, "--limit", 2, "--sort", "score")
    listed = [Path(one).stem for one in Page(out / "index.html").addresses if one.startswith("problems/")]
    assert len(set(listed) - {"0"}) == 2
    assert len(list((out / "problems").iterdir())) == 6


@pytest.mark.parametrize("language", ["ja", "en"])
def test_one_language_is_in_the_folder_itself(tsume: Run, made: Path, out: Path, language: str) -> None:
    make(tsume, made, out, "--lang", language, "--id", 4, "--site-title", "朝の一題")
    page = Page(out / "problems/4.html")
    assert page.language == language
    assert not any("hreflang" in given for _, given in page.elements)
    assert not (out / "en").exists()
    assert "朝の一題" in page.words
    words = (out / "static/words.js").read_text(encoding="utf-8")
    assert [f'"{one}":' in words for one in ("ja", "en")] == [language == "ja", language == "en"]
    words = (out / "static/compose_words.js").read_text(encoding="utf-8")
    assert [f"TSUME_WORDS.{one}," in words for one in ("ja", "en")] == [language == "ja", language == "en"]


def test_without_the_solver_a_site_has_its_answers(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tsume.commands.web.solver_scripts", solver_scripts)
    monkeypatch.setattr("tsume.web.solver_scripts.BUILDER", out / "no builder")
    monkeypatch.setattr("tsume.web.solver_scripts.BUILT", out / "nothing built")
    said = make(tsume, made, out, "--id", 4)
    first, last = (
        said.index("the solver for browsers cannot be built: this installation has neither its files nor"),
        said.index("without the solver for browsers, only short problems can be played, and none composed"),
    )
    assert first < last
    page = Page(out / "problems/4.html")
    assert not any("data-worker" in given and "data-api" in given for _, given in page.elements)
    assert "まで3手詰" in page.answer


def test_the_solver_is_shared_by_all_pages(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = {"tsume.js": "// the API", "tsume-worker.js": b"// the worker"}
    monkeypatch.setattr("tsume.commands.web.solver_scripts", lambda: scripts)
    said = make(tsume, made, out, "--id", 4)
    assert "without the solver" not in said
    assert (out / "static/tsume-worker.js").read_bytes() == b"// the worker"
    for name in ("problems/4.html", "training.html", "compose.html"):
        scripts_of_page = [given for tag, given in Page(out / name).elements if tag == "script"]
        (solver,) = [given for given in scripts_of_page if "data-api" in given]
        assert "static/tsume-worker.js?v=" in str(solver["data-worker"])


# --- an address -------------------------------------------------------------------------------------


def test_with_an_address_there_is_a_feed(tsume: Run, made: Path, out: Path) -> None:
    said = make(tsume, made, out, "--url", "https://example.org/tsume", "--lang", "both")
    assert "no feed" not in said
    for name, language in (("feed.xml", "ja"), ("en/feed.xml", "en")):
        feed = ElementTree.parse(out / name).getroot()
        assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == language
        assert all(feed.find(_ATOM + tag) is not None for tag in ("id", "title", "updated", "author"))
        entries = feed.findall(_ATOM + "entry")
        assert len(entries) == 6
        for entry in entries:
            link = entry.find(_ATOM + "link")
            assert link is not None
            address = str(link.get("href"))
            assert address == entry.findtext(_ATOM + "id")
            assert (out / address.removeprefix("https://example.org/tsume/")).is_file()
            content = str(entry.findtext(_ATOM + "content"))
            assert "<img src=" in content
            assert "▲" not in content


def test_with_an_address_there_is_a_map_of_all_pages(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out, "--url", "https://example.org/tsume/")
    addresses = [one.text for one in ElementTree.parse(out / "sitemap.xml").getroot().iter(_MAP + "loc")]
    pages = {path.relative_to(out).as_posix() for path in out.rglob("*.html")} - {
        "licence.html",
        "index.html",
        "offline.html",
    }
    assert sorted(map(str, addresses)) == sorted(f"https://example.org/tsume/{name}" for name in pages | {""})


def test_a_map_that_is_too_long_is_parted(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tsume, made, out, "--url", "https://example.org/")
    whole = [one.text for one in ElementTree.parse(out / "sitemap.xml").getroot().iter(_MAP + "loc")]
    monkeypatch.setattr("tsume.site.build._MOST_ADDRESSES", 4)
    make(tsume, made, out, "--url", "https://example.org/")
    parts = [str(one.text) for one in ElementTree.parse(out / "sitemap.xml").getroot().iter(_MAP + "loc")]
    found = [
        one.text
        for part in parts
        for one in ElementTree.parse(out / part.removeprefix("https://example.org/"))
        .getroot()
        .iter(_MAP + "loc")
    ]
    assert found == whole


@pytest.mark.parametrize(
    "address",
    ["", "example.org", "ftp://example.org", "https://", "https://a b", 'https://a/"', "https://a/?b", "https://a/#b",
     "https://例え.jp", "javascript:alert(1)", "https://" + "a" * 2000],
)  # fmt: skip
def test_what_is_no_address_is_refused(tsume: Run, made: Path, out: Path, address: str) -> None:
    refused(
        tsume("site", "--db", made, "-o", out, "--url", address), out, "is not an address such as", status=2
    )


# --- a licence --------------------------------------------------------------------------------------


def test_a_licence_is_a_text_or_a_file(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    make(tsume, made, out, "--id", 4, "--licence", "CC BY 4.0 <&>")
    assert "CC BY 4.0 <&>" in Page(out / "licence.html").words
    (tmp_path / "terms.txt").write_text("\ufeff自由に\nどうぞ", encoding="utf-8")
    make(tsume, made, out, "--id", 4, "--licence", tmp_path / "terms.txt")
    assert "自由に\nどうぞ" in Page(out / "licence.html").words


@pytest.mark.parametrize("name", ["none.txt", "a/b", "folder/"])
def test_a_licence_file_that_is_not_there_is_an_error(tsume: Run, made: Path, out: Path, name: str) -> None:
    done = tsume("site", "--db", made, "-o", out, "--licence", name)
    refused(done, out, "No such file or directory", status=2)


def test_a_licence_file_that_is_no_text_is_an_error(
    tsume: Run, made: Path, out: Path, tmp_path: Path
) -> None:
    (tmp_path / "terms").write_bytes(b"\xff\xfe\xff")
    refused(
        tsume("site", "--db", made, "-o", out, "--licence", tmp_path / "terms"), out, "not UTF-8", status=2
    )


# --- places -----------------------------------------------------------------------------------------


def refused(done: Any, out: Path, error: str, status: int = 1) -> None:
    assert (done.exit_code, done.stdout) == (status, "")
    assert error in done.stderr.splitlines()[-1]
    assert status == 2 or len(done.stderr.splitlines()) == 1
    assert not list(out.parent.iterdir())


def test_no_problems_are_an_error(tsume: Run, made: Path, out: Path) -> None:
    refused(tsume("site", "--db", made, "-m", 99, "-o", out), out, f"Error: {made}: no problems")


def test_a_store_that_is_not_there_is_an_error(tsume: Run, tmp_path: Path, out: Path) -> None:
    refused(tsume("site", "--db", tmp_path / "no.db", "-o", out), out, "no.db")


def test_without_the_extra_one_line_says_what_to_install(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    error = "Error: jinja2 is not installed: pip install 'tsume-shogi[site]' (or jinja2 alone)"
    refused(tsume("site", "--db", made, "-o", out), out, error)


def test_places_that_cannot_be_are_refused_at_once(tsume: Run, made: Path, out: Path) -> None:
    refused(tsume("site", "--db", made, "-o", out / "a" / "b"), out, f"{out}/a/b: No such file or directory")
    refused(tsume("site", "--db", made, "-o", ""), out, "-o: No such file or directory")
    refused(tsume("site", "--db", made, "-o", f"{out}\0"), out, "null")


def test_a_file_is_no_place(tsume: Run, made: Path, out: Path) -> None:
    out.write_text("mine")
    done = tsume("site", "--db", made, "-o", out)
    assert (done.exit_code, done.stderr) == (1, f"Error: {out}: Not a directory\n")
    assert out.read_text() == "mine"


def test_a_loop_of_links_is_no_place(tsume: Run, made: Path, out: Path) -> None:
    out.symlink_to(out.name)
    done = tsume("site", "--db", made, "-o", out)
    assert done.exit_code == 1
    assert done.stderr == f"Error: {out}: {os.strerror(errno.ELOOP)}\n"


def test_a_folder_with_something_else_in_it_is_left_alone(tsume: Run, made: Path, out: Path) -> None:
    out.mkdir()
    (out / "mine").write_text("mine")
    done = tsume("site", "--db", made, "-o", out)
    assert (done.exit_code, done.stderr) == (1, f"Error: {out}: is not empty and not a site made by tsume\n")
    assert files(out) == {"mine": b"mine"}


def test_the_current_folder_is_no_place(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(out.parent)
    for place in (".", "..", out.parent):
        done = tsume("site", "--db", made, "-o", place)
        assert done.exit_code == 1
        assert "is the current folder" in done.stderr


def test_an_empty_folder_and_a_link_are_places(tsume: Run, made: Path, out: Path) -> None:
    out.mkdir(mode=0o750)
    link = out.parent / "link"
    link.symlink_to(out)
    make(tsume, made, link, "--id", 4)
    assert link.is_symlink()
    assert (out / "index.html").is_file()
    assert out.stat().st_mode & 0o777 == 0o750


def test_a_site_may_be_read_by_a_server(tsume: Run, made: Path, out: Path) -> None:
    mask = os.umask(0o022)
    try:
        make(tsume, made, out, "--id", 4)
    finally:
        os.umask(mask)
    assert out.stat().st_mode & 0o777 == 0o755
    assert (out / "index.html").stat().st_mode & 0o777 == 0o644


def test_an_older_site_is_replaced_and_what_is_not_its_own_stays(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out)
    (out / ".git" / "objects").mkdir(parents=True)
    (out / ".git" / "objects" / "1").write_text("one")
    (out / "CNAME").write_text("example.org")
    (out / "problems" / "notes.txt").write_text("notes")
    make(tsume, made, out, "--id", 4)
    assert (out / ".git" / "objects" / "1").read_text() == "one"
    assert (out / "CNAME").read_text() == "example.org"
    assert (out / "problems" / "notes.txt").read_text() == "notes"
    assert [path.name for path in sorted((out / "problems").glob("*.html"))] == ["4.html"]
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_what_is_not_its_own_is_never_overwritten(tsume: Run, made: Path, out: Path) -> None:
    make(tsume, made, out, "--id", 4)
    (out / "feed.xml").write_text("mine")
    before = files(out)
    done = tsume("site", "--db", made, "-o", out, "--id", 4, "--url", "https://example.org/")
    error = f"Error: {out}: feed.xml is in the way and was not made by tsume"
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (1, error)
    assert files(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
def test_what_was_there_stays_when_it_is_not_finished(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    make(tsume, made, out, "--id", 4)
    before = files(out)
    write = FolderDraft.write

    def failing(draft: FolderDraft, name: str, text: str) -> None:
        if name.startswith("lists/"):
            raise fault
        write(draft, name, text)

    monkeypatch.setattr(FolderDraft, "write", failing)
    done = tsume("site", "--db", made, "-o", out, "-j", 1)
    assert done.exit_code == 1
    if isinstance(fault, OSError):
        assert done.stderr == f"Error: {out}: {os.strerror(errno.ENOSPC)}\n"
    assert files(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["site"]


def test_the_older_site_comes_back_when_the_new_one_cannot_be_put(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tsume, made, out, "--id", 4)
    before = files(out)
    rename = Path.rename

    def failing(path: Path, to: Path) -> Path:
        if to == out and "-older-" not in str(path):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", failing)
    done = tsume("site", "--db", made, "-o", out, "-j", 1, "--id", 4)
    assert done.stderr.splitlines()[-1] == f"Error: {out}: {os.strerror(errno.EBUSY)}"
    assert files(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["site"]
