# SPDX-License-Identifier: GPL-3.0-or-later
"""A local index for pip, uv and npm: this package from a folder, all others from elsewhere."""

from __future__ import annotations

import html
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browser.npm import PACKAGE_NAME

_PYPI = "https://pypi.org/simple"
_NPM = "https://registry.npmjs.org"


@contextmanager
def serve_index(folder: Path) -> Iterator[str]:
    """Serve the files of a folder while the context lasts; gives the address of the server.

    ``/simple/`` is an index of Python packages (PEP 503), ``/npm/`` a registry for npm. Requests for other
    packages are redirected to the public ones.
    """

    class Handler(_Handler):
        files = folder

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    files: Path

    def do_GET(self) -> None:
        kind, _, rest = self.path.lstrip("/").partition("/")
        name = rest.strip("/")
        if kind == "files":
            self._send((self.files / Path(name).name).read_bytes(), "application/octet-stream")
        elif kind == "simple" and name == PACKAGE_NAME:
            self._send(simple_page(self.files).encode(), "text/html")
        elif kind == "npm" and name == PACKAGE_NAME:
            address = f"http://{self.headers['Host']}"
            self._send(json.dumps(npm_document(self.files, address)).encode(), "application/json")
        else:
            self.send_response(302)
            self.send_header("Location", f"{_PYPI}/{name}/" if kind == "simple" else f"{_NPM}/{name}")
            self.end_headers()

    def do_HEAD(self) -> None:  # uv asks for the size of a file first
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def simple_page(folder: Path) -> str:
    """The page of this package in an index of Python packages."""
    names = sorted(path.name for kind in ("*.whl", "*.tar.gz") for path in folder.glob(kind))
    links = "".join(f'<a href="/files/{html.escape(name)}">{html.escape(name)}</a>\n' for name in names)
    return f"<!DOCTYPE html>\n<title>{PACKAGE_NAME}</title>\n{links}"


def npm_document(folder: Path, address: str) -> dict[str, Any]:
    """What a registry for npm says about this package."""
    (path,) = folder.glob("*.tgz")
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes())) as archive:
        described = archive.extractfile("package/package.json")
        assert described is not None
        package = json.load(described)
    package["dist"] = {"tarball": f"{address}/files/{path.name}"}
    version = package["version"]
    return {"name": PACKAGE_NAME, "dist-tags": {"latest": version}, "versions": {version: package}}
