# SPDX-License-Identifier: GPL-3.0-or-later
"""Releases a version: commit, tag, artefacts, next development version. Run through `scripts/release`.

Steps that are done already are skipped, so the same command continues after a failure.
"""

from __future__ import annotations

import datetime
import subprocess
from pathlib import Path

import click

from scripts import artefacts, changelog, versions
from tsume import __version__

_ROOT = Path(__file__).parents[1]
_BRANCH = "main"


class Stopped(click.ClickException):
    """A release cannot go on; the message says why, and what to do."""


@click.command()
@click.argument("version")
@click.option("--dry-run", is_flag=True, help="Say what would change; write, commit and build nothing.")
@click.option("--skip-checks", is_flag=True, help="Do not run scripts/check and scripts/test --all before.")
@click.option("--date", help="Day of the release (YYYY-MM-DD); today if not given.")
def release(version: str, dry_run: bool, skip_checks: bool, date: str | None) -> None:
    """Release VERSION (like 1.2.3) from a clean checkout of main, and begin the next one."""
    date = date or datetime.datetime.now(datetime.UTC).date().isoformat()
    tag = f"v{version}"
    try:
        following = versions.following(version)
        _refuse_unready(tag)
        if not _git("tag", "--list", tag):
            _make_tag(version, date, dry_run=dry_run, skip_checks=skip_checks)
        if not dry_run:
            artefacts.build(_ROOT, version)
            artefacts.verify(_ROOT / artefacts.FOLDER, version)
        _begin(following, dry_run=dry_run)
    except (ValueError, artefacts.Failed) as error:
        raise Stopped(f"{error}\n{_advice(version)}") from None
    if not dry_run:
        click.echo(f"{tag} is in dist/. To publish it: git push --follow-tags origin {_BRANCH}")


def _refuse_unready(tag: str) -> None:
    if _git("status", "--porcelain"):
        raise Stopped("the checkout has changes: commit or stash them")
    if _git("branch", "--show-current") != _BRANCH:
        raise Stopped(f"a release is made on {_BRANCH}: git switch {_BRANCH}")
    if _git("tag", "--list", tag) and _git("rev-parse", f"{tag}^{{commit}}") != _git("rev-parse", "HEAD"):
        raise Stopped(f"{tag} exists, and other commits follow it: choose the next version")


def _make_tag(version: str, date: str, *, dry_run: bool, skip_checks: bool) -> None:
    """Check, write the version, commit and tag."""
    if version != __version__:
        files = versions.release_files(_ROOT, version, date)
        notes = changelog.section(files["CHANGELOG.md"], version)
        if not (skip_checks or dry_run):
            _run_checks()
        _write(files, f"Release {version}", dry_run=dry_run)
    else:  # committed before, but not tagged
        notes = changelog.section(changelog.CHANGELOG.read_text(encoding="utf-8"), version)
    if dry_run:
        click.echo(f"would tag v{version}, build into dist/, and check:\n\n{notes}")
        return
    _git("tag", "--annotate", f"v{version}", "--cleanup=verbatim", "--message", f"tsume {version}\n\n{notes}")


def _begin(following: str, *, dry_run: bool) -> None:
    """Begin the next version."""
    if dry_run:
        click.echo(f"would begin {following}")
        return
    _write(versions.development_files(_ROOT, following), f"Begin {following}", dry_run=False)


def _write(files: dict[str, str], message: str, *, dry_run: bool) -> None:
    if dry_run:
        click.echo(f"would write {', '.join(sorted(files))} and commit: {message}")
        return
    for name, text in files.items():
        (_ROOT / name).write_text(text, encoding="utf-8")
    _git("add", *files)
    _git("commit", "--quiet", "--message", message)


def _run_checks() -> None:
    for command in (["scripts/check"], ["scripts/test", "--all"]):
        if subprocess.run(command, cwd=_ROOT, check=False).returncode:
            raise Stopped(
                f"{' '.join(command)} fails (--skip-checks releases without it); nothing has changed"
            )


def _advice(version: str) -> str:
    """What to do after a failure."""
    if not _git("tag", "--list", f"v{version}"):
        return "Nothing is tagged. Correct it, then run the same command again."
    return (
        "Run the same command again: it continues after the tag. If the tagged commit is at fault, undo it "
        f"first: git tag --delete v{version} && git reset --hard HEAD~1"
    )


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stopped(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    release()
