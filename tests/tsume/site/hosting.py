# SPDX-License-Identifier: GPL-3.0-or-later
"""A host on the web for a site."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.browsers.engines import TIMEOUT


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: Any) -> None:
        pass


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, *_arguments: Any) -> None:
        """Say nothing: a browser that leaves a page breaks its connections."""


class Host:
    """A host with the site below a path, until it is closed."""

    def __init__(self, folder: Path) -> None:
        self._server = _QuietServer(("127.0.0.1", 0), partial(_Quiet, directory=folder.parent))
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/{folder.name}/"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(TIMEOUT)
        self._server.server_close()
