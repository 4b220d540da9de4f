# SPDX-License-Identifier: GPL-3.0-or-later
"""The paper on exact lengths: its PDF and its figures."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.documentation.pages import CannotBuildPages, headings
from scripts.documentation.paper import ABLATIONS, NODES, PAGE, PAPERS, build_paper, draw, table, typst_source
from tests.places import ROOT

TEXT = PAGE.read_text(encoding="utf-8")
A4 = (595, 842)


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The paper, as `scripts/docs` builds it."""
    for module in ("pypandoc", "typst"):
        pytest.importorskip(module, reason=f"{module} is not installed: no paper is built")
    folder = tmp_path_factory.mktemp("paper")
    words = [sys.executable, "-m", "scripts.docs", "--paper", "exact_lengths", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "exact_lengths.pdf"


def test_the_pdf_has_title_and_sections(pdf: Path) -> None:
    pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed: no PDF is read")
    with pikepdf.open(pdf) as document, document.open_outline() as outline:
        sections = [str(item.title) for item in outline.root]
        title, *_ = headings(TEXT)
        assert str(document.docinfo["/Title"]) == title.text
        assert sections == [one.text for one in headings(TEXT) if one.level == 2]
        assert len(document.pages) > len(sections)
        assert {tuple(round(float(x)) for x in page.mediabox[2:]) for page in document.pages} == {A4}
        assert "/StructTreeRoot" in document.Root


def test_sections_are_numbered() -> None:
    numbers = [one.text.split()[0] for one in headings(TEXT) if one.level == 2]
    assert numbers == [*"1234567", "References"]
    below = [one.text.split()[0] for one in headings(TEXT) if one.level == 3]
    assert all(re.fullmatch(r"\d\.\d", number) for number in below)
    assert sorted(below) == below


def test_captions_are_those_of_figures_and_tables() -> None:
    pytest.importorskip("pypandoc", reason="pypandoc-binary is not installed: no paper is built")
    source = typst_source(PAGE)
    captions = re.findall(r"^\*(Figure|Table) (\d)\.\*", TEXT, re.MULTILINE)
    for kind, numbers in (("Figure", "12"), ("Table", "123")):
        assert [number for one, number in captions if one == kind] == list(numbers)
        assert f"{kind} 1." not in source, "typst counts"
    assert source.count("caption:") == len(captions)
    assert "<img" not in source


def test_links_of_the_pdf_lead_to_the_repository() -> None:
    pytest.importorskip("pypandoc", reason="pypandoc-binary is not installed: no paper is built")
    links = re.findall(r'#link\("([^"]+)"', typst_source(PAGE))
    assert links
    for link in links:
        assert link.startswith("https://"), link
        found = re.fullmatch(r"https://github.com/tsume-shogi/tsume/blob/main/([^#]+).*", link)
        assert found is None or (ROOT / found[1]).exists()


def test_without_pandoc_a_message_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.documentation.paper.find_spec", lambda _: None)
    with pytest.raises(CannotBuildPages, match=r"tsume-shogi\[docs\]"):
        build_paper(PAPERS[0], tmp_path)


def test_formulas_are_mathml_in_the_site() -> None:
    pytest.importorskip("sphinx", reason="Sphinx is not installed: the documentation is not built")
    from docutils.utils.math.latex2mathml import tex2mathml

    formulas = re.findall(r"(?<![\\`$])\$([^$`\n]+(?:\n[^$`\n]+)?)\$", TEXT)
    assert len(formulas) > 100
    for formula in formulas:
        assert "<merror" not in tex2mathml(formula), formula


def test_the_figures_are_drawn_from_the_tables(tmp_path: Path) -> None:
    draw(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([ABLATIONS, NODES])
    for name in (ABLATIONS, NODES):
        assert (PAGE.parent / name).stat().st_size < 150_000


def test_a_missing_table_is_an_error() -> None:
    with pytest.raises(ValueError, match="no table 9"):
        table(TEXT, 9)
