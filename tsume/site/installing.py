# SPDX-License-Identifier: GPL-3.0-or-later
"""What makes a site installable and useful without a network: manifest, icons, service worker."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.resources import files as package_files

from tsume.browser.network import NETWORK
from tsume.diagrams.icon import icon_png
from tsume.language.catalogue import phrase
from tsume.site.addresses import COMPOSE, INDEX, MANIFEST, OFFLINE, STATIC, TRAINING, WORKER, static_address
from tsume.site.options import SiteOptions

_ICON_SIZES = (192, 512)
_BACKGROUND = "#fffdf7"
"""Behind the icon while the site starts: the paper of page.css."""


def icon_files() -> Iterator[tuple[str, bytes]]:
    """The icons that systems ask for, as PNG."""
    for size in _ICON_SIZES:
        yield _icon_file(size), icon_png(size)


def manifest_file(options: SiteOptions) -> tuple[str, str]:
    """The web app manifest, in the first language."""
    language = options.languages[0]
    name = options.title or phrase(language, "web.title")
    icons = [
        {"src": f"{STATIC}/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": _icon_file(size), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for size in _ICON_SIZES
            for purpose in ("any", "maskable")
        ),
    ]
    manifest = {
        "name": name,
        "short_name": name,
        "lang": language,
        "start_url": INDEX,
        "scope": ".",
        "display": "standalone",
        "background_color": _BACKGROUND,
        "theme_color": _BACKGROUND,
        "icons": icons,
    }
    return MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def worker_file(options: SiteOptions, static: Iterable[str], version: str) -> tuple[str, str]:
    """The service worker of a site with this version; ``static`` are the names of the files of all pages."""
    folders = [options.folder(language) for language in options.languages]
    pages = [folder + page for folder in folders for page in (INDEX, TRAINING, COMPOSE, OFFLINE)]
    used = [static_address(options, name) for name in static if _is_kept_at_once(name)]
    site = json.dumps(
        {"version": version, "folders": folders, "offline": OFFLINE, "files": [*pages, *used]},
        ensure_ascii=False,
    )
    script = (package_files("tsume.site") / "static" / WORKER).read_text(encoding="utf-8")
    strict = '"use strict";\n'
    return WORKER, script.replace(strict, f"{strict}const TSUME_SITE = {site};\n", 1)


def _is_kept_at_once(name: str) -> bool:
    """Whether a static file is kept for the time without a network before a page has asked for it."""
    return name.endswith((".js", ".css", ".svg")) and not name.endswith(f"/{NETWORK}")


class ContentVersion:
    """The version of some files: a hash of their names and contents, in their order."""

    def __init__(self, files: Iterable[tuple[str, str | bytes]] = ()) -> None:
        self._hash = sha256()
        for name, content in files:
            self.add(name, content)

    def add(self, name: str, content: str | bytes) -> None:
        """Count in a file."""
        data = content.encode() if isinstance(content, str) else content
        self._hash.update(f"{name}\0{len(data)}\0".encode() + data)

    @property
    def text(self) -> str:
        """That of the files so far."""
        return self._hash.hexdigest()[:12]


def _icon_file(size: int) -> str:
    return f"{STATIC}/icon-{size}.png"
