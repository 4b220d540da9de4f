# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the solver for browsers and Node.js, also as a package for npm. Run through `scripts/wasm`."""

from __future__ import annotations

import gzip
import json
import re
import tomllib
from pathlib import Path

import click

from tsume import __version__
from tsume.browser.build import CannotBuild, browser_files
from tsume.browser.built import WHEEL_FOLDER, write_files, write_wheel_files
from tsume.browser.network import NETWORK, network_script
from tsume.browser.parts import worker_parts

PACKAGE_NAME = "tsume-shogi"
"""On npm and on PyPI."""
_ROOT = Path(__file__).parent.parent
_PACKAGE = {
    "name": PACKAGE_NAME,
    "description": "Solver and checker of tsume-shogi problems (詰将棋), in browsers and Node.js",
    "license": "GPL-3.0-or-later",
    "keywords": ["shogi", "tsume-shogi", "詰将棋", "puzzle", "df-pn", "webassembly"],
    "main": "./tsume.js",
    "types": "./tsume.d.ts",
    "exports": {
        ".": {"types": "./tsume.d.ts", "import": "./tsume.mjs", "require": "./tsume.js"},
        "./tsume.js": {"types": "./tsume.d.ts", "default": "./tsume.js"},
        "./tsume-worker.js": {"types": "./tsume-worker.d.ts", "default": "./tsume-worker.js"},
        "./tsume-network.js": {"types": "./tsume-network.d.ts", "default": "./tsume-network.js"},
        "./package.json": "./package.json",
    },
    "unpkg": "./tsume.js",
    "jsdelivr": "./tsume.js",
    "engines": {"node": ">=20.16"},
}


def npm_files() -> dict[str, bytes]:
    """Return the description of the package, its README and the licence."""
    urls = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    addresses = {
        "homepage": urls["Documentation"],
        "repository": {"type": "git", "url": f"git+{urls['Repository']}.git"},  # needed to prove provenance
        "bugs": {"url": urls["Issues"]},
    }
    package = {"version": npm_version(__version__), **_PACKAGE, **addresses}
    return {
        "package.json": (json.dumps(package, indent=2, ensure_ascii=False) + "\n").encode(),
        "README.md": npm_readme().encode(),
        "LICENSE": (_ROOT / "LICENSE").read_bytes(),
    }


def npm_version(version: str) -> str:
    """Return a version of Python as npm writes it: ``1.2.0.dev0`` is ``1.2.0-dev.0``."""
    return re.sub(r"^([\d.]+?)\.?([a-z]+)(\d+)$", r"\1-\2.\3", version)


def npm_readme() -> str:
    """Return the part of docs/browser.md that is for users of the package, and the example."""
    page = (_ROOT / "docs" / "browser.md").read_text(encoding="utf-8")
    used = page.partition("<!-- npm: begin -->\n")[2].partition("<!-- npm: end -->")[0]
    example = (_ROOT / "tsume" / "browser" / "api" / "example.html").read_text(encoding="utf-8")
    linkless = re.sub(r"\[([^]]+)\]\([^)#][^)]*\)", r"\1", used)  # the other pages are not in the package
    return f"# tsume\n\n{linkless.strip()}\n\n## Example\n\n```html\n{example}```\n"


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--npm", is_flag=True, help="Add what makes the folder a package for npm.")
@click.option("--wheel", is_flag=True, help="Build into the package, for the wheel that is built next.")
def wasm(folder: Path | None, npm: bool, wheel: bool) -> None:
    """Build tsume.js, tsume-worker.js and tsume-network.js, with types and an example, into FOLDER."""
    if (folder is None) != wheel or (npm and wheel):
        raise click.UsageError("needs FOLDER, with or without --npm, or --wheel alone")
    try:
        files = browser_files(worker_parts())
    except CannotBuild as error:
        raise click.ClickException(str(error)) from None
    if folder is None:
        write_wheel_files(files)
    else:
        files |= {NETWORK: network_script(), **(npm_files() if npm else {})}
        write_files(folder, files)
    for name, content in sorted(files.items()):
        size, compressed = (f"{len(data) / 1000:,.1f}" for data in (content, gzip.compress(content)))
        click.echo(f"{(folder or WHEEL_FOLDER) / name}: {size} KB, {compressed} compressed")


if __name__ == "__main__":
    wasm()
