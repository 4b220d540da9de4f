# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/release`: the texts that it changes, and when it refuses."""

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from browser import npm_version
from scripts import changelog, release
from tests.places import ROOT
from tests.releasing.checkout import needs_git
from tsume import __version__

TEXT = "# Changelog\n\n## Unreleased (0.2.0.dev0)\n\n### New\n\n- More.\n\n## 0.1.0\n\n- First.\n"


def test_unreleased_becomes_a_dated_section_and_a_new_one_opens() -> None:
    assert changelog.version_section(TEXT, "0.1.0") == "- First.\n"
    assert changelog.version_section(TEXT, "0.2.0.dev0") == "### New\n\n- More.\n"
    assert changelog.last_release(TEXT) == ("0.1.0", None)
    dated = changelog.with_release(TEXT, "0.2.0", "2026-01-31")
    assert dated == TEXT.replace("Unreleased (0.2.0.dev0)", "0.2.0 (2026-01-31)")
    assert changelog.last_release(dated) == ("0.2.0", "2026-01-31")
    again = changelog.with_unreleased(dated, "0.3.0.dev0")
    assert again.startswith("# Changelog\n\n## Unreleased (0.3.0.dev0)\n\n## 0.2.0 (2026-01-31)\n")
    assert changelog.version_section(again, "0.2.0") == "### New\n\n- More.\n"


def test_what_cannot_be_released_or_found_is_refused() -> None:
    empty = TEXT.replace("### New\n\n- More.\n\n", "")
    dated = changelog.with_release(TEXT, "0.2.0", "2026-01-31")
    refused: list[tuple[Callable[[], str], str]] = [
        (lambda: changelog.version_section(TEXT, "9.9.9"), r"no section for 9\.9\.9"),
        (lambda: changelog.with_release(empty, "0.2.0", "2026-01-31"), "empty"),
        (lambda: changelog.with_release(dated, "0.2.0", "2026-01-31"), 'not "Unreleased"'),
        (lambda: changelog.with_unreleased(TEXT, "0.3.0.dev0"), "already"),
    ]
    for call, fault in refused:
        with pytest.raises(changelog.ChangelogError, match=fault):
            call()


def test_a_section_is_printed_without_any_package() -> None:
    command = [sys.executable, "-I", "-S", str(ROOT / "scripts" / "changelog.py"), "0.1.0"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("The first version")


def test_the_next_version() -> None:
    assert [release.next_development_version(one) for one in ("0.2.0", "1.9.3")] == ["0.3.0.dev0", "1.10.0.dev0"]
    for version in ("0.2", "v0.2.0", "0.2.0.dev0", "0.2.0rc1", ""):
        with pytest.raises(release.VersionError, match="not the version of a release"):
            release.next_development_version(version)


NAMES = ("CITATION.cff", "docs/cli.md", "docs/workbench.ja.md", "docs/workbench.md", "tsume/__init__.py")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files with the version, and a changelog that has something to release."""
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "CHANGELOG.md").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_every_file_with_the_version_changes(copy: Path) -> None:
    files = release.release_files(copy, "7.8.9", "2031-02-03")
    assert "version: 7.8.9\ndate-released: 2031-02-03\n" in files["CITATION.cff"]
    assert '__version__ = "7.8.9"\n' in files["tsume/__init__.py"]
    assert changelog.last_release(files["CHANGELOG.md"]) == ("7.8.9", "2031-02-03")
    assert not [name for name, text in files.items() if name != "CHANGELOG.md" and __version__ in text]


@needs_git
@pytest.mark.skipif("dev" not in __version__, reason="pages may name a released version")
def test_no_other_file_has_the_version() -> None:
    command = ["git", "grep", "-l", "--word-regexp", "--fixed-strings", __version__, "--", ":!tests"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    composed = "collection/problems.jsonl"  # by that version, which does not change
    assert set(done.stdout.split()) <= {"CHANGELOG.md", composed, *NAMES}


def test_the_citation_is_of_the_last_release() -> None:
    version, date = changelog.last_release(changelog.CHANGELOG.read_text(encoding="utf-8"))
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in text
    assert date is None or f"\ndate-released: {date}\n" in text


def test_the_changelog_is_of_this_version() -> None:
    """Two sections of the same name in a version would be one."""
    section = changelog.version_section(changelog.CHANGELOG.read_text(encoding="utf-8"), __version__)
    assert section
    headings = re.findall(r"^### (.+)$", section, re.M)
    assert len(set(headings)) == len(headings)


def test_checksums_are_those_of_sha256sum(tmp_path: Path) -> None:
    (tmp_path / "b.whl").write_bytes(b"wheel")
    (tmp_path / "a.tar.gz").write_bytes(b"sdist")
    (tmp_path / release.SUMS).write_text("old")
    lines = release.checksums(tmp_path).splitlines()
    sdist, wheel = (hashlib.sha256(content).hexdigest() for content in (b"sdist", b"wheel"))
    assert lines == [f"{sdist}  a.tar.gz", f"{wheel}  b.whl"]


def test_a_missing_artefact_is_named(tmp_path: Path) -> None:
    with pytest.raises(release.ArtefactFailed, match=r"tsume_shogi-1\.2\.3\.tar\.gz has not been built"):
        release.verify_artefacts(tmp_path, "1.2.3")
    assert f"tsume-shogi-{npm_version('1.2.3')}.tgz" in release.expected_names("1.2.3")


def git_answers(monkeypatch: pytest.MonkeyPatch, **answers: str) -> None:
    """Answer git's commands, by name; all others as on a clean main without tags."""
    usual = {"status": "", "branch": "main", "tag": "", "rev_parse": ""}
    known = {name.replace("_", "-"): answer for name, answer in (usual | answers).items()}
    monkeypatch.setattr(release, "_git", lambda *arguments: known[arguments[0]])


@pytest.mark.parametrize(
    ("answers", "message"),
    [({"status": " M README.md"}, "the checkout has changes"), ({"branch": "other"}, "made on main")],
)
def test_a_checkout_that_is_not_ready_is_refused(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, str], message: str
) -> None:
    git_answers(monkeypatch, **answers)
    done = CliRunner().invoke(release.release, ["7.8.9"])
    assert done.exit_code == 1
    assert message in done.output


def test_a_dry_run_says_what_would_change(monkeypatch: pytest.MonkeyPatch, copy: Path) -> None:
    git_answers(monkeypatch)
    monkeypatch.setattr(release, "_ROOT", copy)
    done = CliRunner().invoke(release.release, ["7.8.9", "--dry-run"], catch_exceptions=False)
    assert done.exit_code == 0
    assert "would write CHANGELOG.md, CITATION.cff," in done.output
    assert "would begin 7.9.0.dev0" in done.output
