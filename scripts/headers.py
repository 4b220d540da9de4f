# SPDX-License-Identifier: GPL-3.0-or-later
"""Names the licence in the first line of each source file. Run through `scripts/headers`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import click

_ROOT = Path(__file__).parents[1]
_TAG = (
    "SPDX-License-" + "Identifier: GPL-3.0-or-later"
)  # in two parts: this line is not the licence of a file
_LIST_FILES = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
_COMMENTS = {
    ".css": f"/* {_TAG} */",
    ".js": f"// {_TAG}",
    ".mjs": f"// {_TAG}",
    ".py": f"# {_TAG}",
    ".sh": f"# {_TAG}",
    ".ts": f"// {_TAG}",
    ".typ": f"// {_TAG}",
}


@click.command()
@click.option(
    "--check", is_flag=True, help="Only name the files without the line; exit status 1 if there are any."
)
def headers(check: bool) -> None:
    """Add the line to the source files that lack it."""
    lacking = [path for path in source_files(_ROOT) if with_header(path.suffix, _read(path)) != _read(path)]
    for path in lacking:
        click.echo(path.relative_to(_ROOT))
        if not check:
            path.write_bytes(with_header(path.suffix, _read(path)).encode())
    if check and lacking:
        raise click.ClickException("these files do not name their licence: run scripts/headers")


def source_files(root: Path) -> list[Path]:
    """The files of the project in which a comment can name the licence, without empty ones."""
    listed = subprocess.run(_LIST_FILES, cwd=root, capture_output=True, text=True, check=True)
    paths = (root / name for name in listed.stdout.split("\0") if name)
    return [path for path in paths if path.is_file() and path.stat().st_size and _has_comments(path)]


def with_header(suffix: str, text: str) -> str:
    """The text of a file with the line at its top, below what tells the system how to run it."""
    comment = _COMMENTS.get(suffix, f"# {_TAG}")
    lines = text.splitlines(keepends=True)
    top = 1 if lines[0].startswith("#!") else 0
    if comment in (line.rstrip("\n") for line in lines[: top + 1]):
        return text
    return "".join([*lines[:top], f"{comment}\n", *lines[top:]])


def _has_comments(path: Path) -> bool:
    return path.suffix in _COMMENTS or (not path.suffix and _read_start(path) == b"#!")


def _read(path: Path) -> str:
    return path.read_bytes().decode()  # line ends stay as they are


def _read_start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(2)


if __name__ == "__main__":
    headers()
