# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes the files for browsers a package for npm."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from tsume import __version__

PACKAGE_NAME = "tsume-shogi"
"""On npm and on PyPI."""
_ROOT = Path(__file__).parent.parent
_PACKAGE = {
    "name": PACKAGE_NAME,
    "description": "Solver and checker of tsume-shogi problems (詰将棋), in browsers and Node.js",
    "license": "GPL-3.0-or-later AND OFL-1.1",
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
    """Return the description of the package, its README and the licences.

    Addresses are those of pyproject.toml, as npm writes them; its proof of provenance needs the repository.
    """
    urls = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    addresses = {
        "homepage": urls["Documentation"],
        "repository": {"type": "git", "url": f"git+{urls['Repository']}.git"},
        "bugs": {"url": urls["Issues"]},
    }
    package = {"version": npm_version(__version__), **_PACKAGE, **addresses}
    return {
        "package.json": (json.dumps(package, indent=2, ensure_ascii=False) + "\n").encode(),
        "README.md": npm_readme().encode(),
        "LICENSE": (_ROOT / "LICENSE").read_bytes(),
        "OFL-1.1.txt": (_ROOT / "LICENSES" / "OFL-1.1.txt").read_bytes(),
    }


def npm_version(version: str) -> str:
    """Return a version of Python as npm writes it: ``1.2.0.dev0`` is ``1.2.0-dev.0``."""
    return re.sub(r"^([\d.]+?)\.?([a-z]+)(\d+)$", r"\1-\2.\3", version)


def npm_readme() -> str:
    """Return the part of docs/browser.md that is for users of the package, and the example."""
    page = (_ROOT / "docs" / "browser.md").read_text(encoding="utf-8")
    used = page.partition("<!-- npm: begin -->\n")[2].partition("<!-- npm: end -->")[0]
    example = (_ROOT / "browser" / "api" / "example.html").read_text(encoding="utf-8")
    linkless = re.sub(r"\[([^]]+)\]\([^)#][^)]*\)", r"\1", used)  # the other pages are not in the package
    return f"# tsume\n\n{linkless.strip()}\n\n## Example\n\n```html\n{example}```\n"
