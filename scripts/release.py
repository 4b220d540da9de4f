# SPDX-License-Identifier: GPL-3.0-or-later
"""Releases a version: commit, tag, artefacts, next development version. Run through `scripts/release`.

Steps that are done already are skipped, so the same command continues after a failure.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from scripts import changelog
from tsume import __version__

_ROOT = Path(__file__).parents[1]
_BRANCH = "main"
FOLDER = "dist"
SUMS = "SHA256SUMS"
_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
_ANSWER = "mate in 5"
_COMPOSED = re.compile(r"(?<=^\*tsume )\S+(?= seed )", re.MULTILINE)  # in the record of a composed problem
_PLACES = {
    "tsume/__init__.py": re.compile(r'(?<=^__version__ = ")[^"]+', re.MULTILINE),
    "docs/cli.md": _COMPOSED,
    "docs/workbench.ja.md": _COMPOSED,
    "docs/workbench.md": _COMPOSED,
}
"""Where the version stands, by file."""


class ReleaseStopped(click.ClickException):
    """A release cannot go on; the message says why, and what to do."""


class VersionError(ValueError):
    """A version that cannot be released, or a file without a version."""


class ArtefactFailed(Exception):
    """An artefact cannot be built, or does not work."""


@click.command()
@click.argument("version")
@click.option("--dry-run", is_flag=True, help="Say what would change; write, commit and build nothing.")
@click.option("--skip-checks", is_flag=True, help="Do not run scripts/check and scripts/test --all before.")
@click.option("--date", help="Day of the release (YYYY-MM-DD); today if not given.")
def release(version: str, dry_run: bool, skip_checks: bool, date: str | None) -> None:
    """Release VERSION (like 1.2.3) from a clean checkout of main, and begin the next one."""
    tag = f"v{version}"
    try:
        upcoming = next_development_version(version)
        if _git("status", "--porcelain"):
            raise ReleaseStopped("the checkout has changes: commit or stash them")
        if _git("branch", "--show-current") != _BRANCH:
            raise ReleaseStopped(f"a release is made on {_BRANCH}: git switch {_BRANCH}")
        if not _git("tag", "--list", tag):
            date = date or datetime.datetime.now(datetime.UTC).date().isoformat()
            _tag(version, date, dry_run=dry_run, skip_checks=skip_checks)
        elif _git("rev-parse", f"{tag}^{{commit}}") != _git("rev-parse", "HEAD"):
            raise ReleaseStopped(f"{tag} exists, and other commits follow it: choose the next version")
        if dry_run:
            click.echo(f"would begin {upcoming}")
            return
        build(_ROOT, version)
        verify_artefacts(_ROOT / FOLDER, version)
        _commit(development_files(_ROOT, upcoming), f"Begin {upcoming}")
    except (ValueError, ArtefactFailed) as error:
        advice = "Nothing is tagged. Correct it, then run the same command again."
        if _git("tag", "--list", tag):
            advice = (
                "Run the same command again: it continues after the tag. If the tagged commit is at fault, "
                f"undo it first: git tag --delete {tag} && git reset --hard HEAD~1"
            )
        raise ReleaseStopped(f"{error}\n{advice}") from None
    click.echo(f"{tag} is in dist/. To publish it: git push --follow-tags origin {_BRANCH}")


def _tag(version: str, date: str, *, dry_run: bool, skip_checks: bool) -> None:
    if version == __version__:  # committed before, but not tagged
        notes = changelog.version_section(changelog.CHANGELOG.read_text(encoding="utf-8"), version)
    else:
        files = release_files(_ROOT, version, date)
        notes = changelog.version_section(files["CHANGELOG.md"], version)
        for command in () if skip_checks or dry_run else (["scripts/check"], ["scripts/test", "--all"]):
            if subprocess.run(command, cwd=_ROOT, check=False).returncode:
                told = " ".join(command)
                raise ReleaseStopped(f"{told} fails (--skip-checks releases without it); nothing has changed")
        if dry_run:
            click.echo(f"would write {', '.join(sorted(files))} and commit: Release {version}")
        else:
            _commit(files, f"Release {version}")
    if dry_run:
        click.echo(f"would tag v{version}, build into dist/, and check:\n\n{notes}")
        return
    _git("tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--message", f"tsume {version}\n\n{notes}")


def _commit(files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (_ROOT / name).write_text(text, encoding="utf-8")
    _git("add", *files)
    _git("commit", "--quiet", "--message", message)


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseStopped(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


# --- the version, and the files that have it -------------------------------------------------------


def next_development_version(version: str) -> str:
    """Return the development version after a release: 1.3.0.dev0 after 1.2.0 and after 1.2.1."""
    numbers = re.fullmatch(r"(\d+)\.(\d+)\.\d+", version)
    if numbers is None:
        raise VersionError(f"not the version of a release: {version} (it has three numbers, like 1.2.3)")
    return f"{numbers[1]}.{int(numbers[2]) + 1}.0.dev0"


def release_files(root: Path, version: str, date: str) -> dict[str, str]:
    """Return the new texts of all files that change with a release, by their names."""
    text = changelog.with_release((root / "CHANGELOG.md").read_text(encoding="utf-8"), version, date)
    cited = (root / "CITATION.cff").read_text(encoding="utf-8")
    for field, value in (("version", version), ("date-released", date)):
        place = re.compile(rf"(?<=^{field}: ).+", re.MULTILINE)
        cited = _replaced("CITATION.cff", place, value, cited)
    return {"CHANGELOG.md": text, "CITATION.cff": cited, **_version_files(root, version)}


def development_files(root: Path, version: str) -> dict[str, str]:
    """Return the new texts of all files that change when the next version is begun."""
    text = changelog.with_unreleased((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    return {"CHANGELOG.md": text, **_version_files(root, version)}


def _version_files(root: Path, version: str) -> dict[str, str]:
    return {
        name: _replaced(name, place, version, (root / name).read_text(encoding="utf-8"))
        for name, place in _PLACES.items()
    }


def _replaced(name: str, place: re.Pattern[str], new: str, text: str) -> str:
    changed, number = place.subn(new, text)
    if not number:
        raise VersionError(f"{name} has no version where it is expected: {place.pattern}")
    return changed


# --- artefacts: built, and tried as a user would install them --------------------------------------


def build(root: Path, version: str) -> None:
    """Build everything into dist/ of the checkout, in place of what was there."""
    folder, scripts = root / FOLDER, root / "scripts"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    commit_time = _run(["git", "log", "-1", "--format=%ct"], root).strip()
    # The same commit gives the same files.
    _run([str(scripts / "wheels"), str(folder)], root, SOURCE_DATE_EPOCH=commit_time)
    with tempfile.TemporaryDirectory() as name:
        npm, docs = Path(name) / "npm", Path(name) / "docs"
        _run([str(scripts / "wasm"), "--npm", str(npm)], root)
        _run(["npm", "pack", "--pack-destination", str(folder), str(npm)], root)
        _run([str(scripts / "docs"), str(docs)], root)
        shutil.make_archive(str(folder / f"tsume-shogi-{version}-docs"), "zip", docs)
    (folder / SUMS).write_text(checksums(folder), encoding="utf-8")


def checksums(folder: Path) -> str:
    """Return a line for each file, as `sha256sum --check` reads them."""
    paths = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def verify_artefacts(folder: Path, version: str) -> None:
    """Check the metadata and the names, and run the program of a wheel in a fresh environment."""
    for name in expected_names(version):
        if not (folder / name).is_file():
            raise ArtefactFailed(f"{folder / name} has not been built")
    distributions = sorted(str(path) for kind in ("*.whl", "*.tar.gz") for path in folder.glob(kind))
    _run([sys.executable, "-m", "twine", "check", "--strict", *distributions], folder)
    with tempfile.TemporaryDirectory() as name:
        fresh, programs = Path(name), Path(name) / "bin"
        _run([sys.executable, "-m", "venv", str(fresh)], fresh)
        wanted = f"tsume-shogi=={version}"
        _run([str(programs / "pip"), "install", "--quiet", "--find-links", str(folder), wanted], fresh)
        printed = _run([str(programs / "tsume"), "--version"], fresh)
        if printed.split()[-1:] != [version]:
            raise ArtefactFailed(f"the installed program says: {printed.strip()}, not {version}")
        solved = _run([str(programs / "tsume"), "solve", _POSITION], fresh)
        if _ANSWER not in solved:
            raise ArtefactFailed(f"the installed program solves a problem wrongly: {solved.strip()}")


def expected_names(version: str) -> list[str]:
    """Return the files of every release; wheels with compiled kernels depend on the platform."""
    names = (".tar.gz", "-py3-none-any.whl")
    return [*(f"tsume_shogi-{version}{name}" for name in names), f"tsume-shogi-{version}.tgz", SUMS]


def _run(command: list[str], folder: Path, **settings: str) -> str:
    done = subprocess.run(command, cwd=folder, env=os.environ | settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ArtefactFailed(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr).strip()[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    release()
