# SPDX-License-Identifier: GPL-3.0-or-later
"""WebDriver: a browser of its own for each session."""

import http.client
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

XVFB = Path("/usr/bin/Xvfb")


@contextmanager
def display() -> Iterator[str]:
    """The name of a display."""
    command = [str(XVFB), "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield f":{server.stdout.readline().strip()}"
        server.terminate()


DRIVER = Path("/usr/bin/WebKitWebDriver")
_INSTALLED = "webkit2gtk-4.1/MiniBrowser"
MINI_BROWSER = next(Path("/usr/lib").glob(f"*/{_INSTALLED}"), Path("/usr/lib") / _INSTALLED)
_START = 8.0
"""Seconds after which a browser is started anew."""
_GTK = """
/* A bar as small as it gets: a window as narrow as a telephone. */
* { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; }
image { opacity: 0; -gtk-icon-transform: scale(0); }
"""


class DriverError(Exception):
    """An error of WebDriver; ``code`` is its name there."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class WebDriver:
    """One session, in its own processes. ``home`` gets settings and downloads; requests go to ``proxy``."""

    def __init__(self, home: Path, proxy: int, environment: dict[str, str], timeout: float) -> None:
        self.downloads = home / "downloads"
        self._timeout = timeout
        self._lock = threading.Lock()
        self._session = ""
        _write_settings(home, self.downloads)
        self._environment = os.environ | _environment(home) | environment
        self._start()
        try:
            self._open(proxy, _START)
        except OSError:  # now and then the two processes do not find each other
            self._stop()
            self._start()
            self._open(proxy, timeout)
        self.post("/timeouts", script=None)  # the browser takes it from the page's own clock, which tests set

    def _start(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self._process = subprocess.Popen(
            [DRIVER, f"--port={self._port}"],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._wait()

    def _open(self, proxy: int, timeout: float) -> None:
        body = {"capabilities": {"alwaysMatch": _capabilities(proxy)}}
        created = self._send("POST", "/session", body, timeout)
        self._session = f"/session/{created['sessionId']}"

    def _stop(self) -> None:
        """End the driver and its browser."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def get(self, path: str) -> Any:
        return self._send("GET", path)

    def post(self, path: str, **body: Any) -> Any:
        return self._send("POST", path, body)

    def execute(self, body: str, *arguments: Any) -> Any:
        """Run the body of a function in the page, which may return a promise."""
        script = f"""
            const done = arguments[arguments.length - 1];
            Promise.resolve().then(() => (function () {{ {body}
            }}).apply(null, arguments)).then(
                (value) => done({{value}}),
                (error) => done({{error: `${{error}} ${{error?.stack}}`}}),
            );
        """
        answer = self._send("POST", "/execute/async", {"script": script, "args": arguments})
        if answer and "error" in answer:
            raise DriverError("javascript error", answer["error"])
        return answer.get("value") if answer else None

    def actions(self, kind: str, name: str, *actions: dict[str, Any], **parameters: Any) -> None:
        """Perform the actions of one device."""
        source = {"type": kind, "id": name, "actions": actions}
        self.post("/actions", actions=[source | ({"parameters": parameters} if parameters else {})])

    def close(self) -> None:
        """End the session and its processes."""
        with suppress(DriverError, OSError):
            self._send("DELETE", "")
        self._stop()

    def _send(self, method: str, path: str, body: Any = None, timeout: float | None = None) -> Any:
        text = None if body is None else json.dumps(body)
        with self._lock:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=timeout or self._timeout)
            connection.request(method, self._session + path, text)
            answer = json.load(connection.getresponse())["value"]
            connection.close()
        if isinstance(answer, dict) and "error" in answer and "message" in answer:
            raise DriverError(answer["error"], answer["message"])
        return answer

    def _wait(self) -> None:
        end = time.monotonic() + self._timeout
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self._port)).close()
                return
            except OSError:
                time.sleep(0.02)
        raise TimeoutError(f"{DRIVER} does not answer")


def _write_settings(home: Path, downloads: Path) -> None:
    downloads.mkdir(parents=True)
    (home / "gtk-3.0").mkdir()
    (home / "gtk-3.0/gtk.css").write_text(_GTK, encoding="utf-8")
    (home / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{downloads}"\n', encoding="utf-8")


def _environment(home: Path) -> dict[str, str]:
    return {
        "XDG_CONFIG_HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # the pages are ours; containers allow no sandbox
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "NO_AT_BRIDGE": "1",
        "GTK_THEME": "Adwaita",
    }


def _capabilities(proxy: int) -> dict[str, Any]:
    return {
        "unhandledPromptBehavior": "ignore",
        "proxy": {"proxyType": "manual", "httpProxy": f"127.0.0.1:{proxy}"},
        "webkitgtk:browserOptions": {"binary": str(MINI_BROWSER), "args": ["--automation"]},
    }
