# SPDX-License-Identifier: GPL-3.0-or-later
"""A page in WebKit."""

from __future__ import annotations

import base64
import json
import queue
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Protocol
from urllib.parse import urljoin

from tests.browsers.webkit.driver import DriverError, WebDriver
from tests.browsers.webkit.locator import WebKitKeyboard, WebKitLocator, WebKitMouse, until
from tests.browsers.webkit.proxy import PageRoute, Pattern, Proxy, Rule, matches

_CLOCK = (Path(__file__).parent / "clock.js").read_text(encoding="utf-8")


@dataclass
class Expected:
    """What a test waits for."""

    value: Any = None


@dataclass
class ConsoleText:
    """What a page says on its console."""

    text: str
    type: str
    location: dict[str, str]


@dataclass
class Download:
    """A file that a page offers."""

    file: Path

    def path(self) -> Path:
        return self.file


@dataclass
class WebKitDialog:
    """A question of a script."""

    message: str
    accept: Callable[[], None]


@dataclass
class Answer:
    """The answer to a request."""

    status: int | None
    body: bytes = b""

    @property
    def ok(self) -> bool:
        return self.status is not None and self.status < 400

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Fetch:
    """Requests that are not the page's own."""

    base: str

    def get(self, path: str) -> Answer:
        with urllib.request.urlopen(urljoin(self.base, path)) as response:
            return Answer(response.status, response.read())


@dataclass
class _Listeners:
    always: dict[str, list[Callable[[Any], object]]] = field(default_factory=dict)
    once: dict[str, list[Callable[[Any], object]]] = field(default_factory=dict)

    def take(self, name: str) -> list[Callable[[Any], object]]:
        return [*self.always.get(name, []), *self.once.pop(name, [])]


class Context(Protocol):
    """What a page needs of its context."""

    def close(self) -> None:
        """End its processes."""


class WebKitClock:
    """The part of Playwright's ``Clock`` that tests use: on pages loaded from now on."""

    def __init__(self, page: WebKitPage, proxy: Proxy) -> None:
        self._page, self._proxy = page, proxy

    def install(self) -> None:
        self._proxy.first_script = _CLOCK + self._proxy.first_script

    def set_fixed_time(self, time: str) -> None:
        self.install()
        self._proxy.first_script += f"TsumeClock.fix({datetime.fromisoformat(time).timestamp() * 1000});"

    def pause_at(self, seconds: float) -> None:
        self._page.execute("TsumeClock.pauseAt(arguments[0]);", seconds * 1000)

    def resume(self) -> None:
        self._page.execute("TsumeClock.resume();")

    def run_for(self, milliseconds: int) -> None:
        self._page.execute("TsumeClock.runFor(arguments[0]);", milliseconds)


class WebKitPage(WebKitLocator):
    """The part of Playwright's ``Page`` that tests use; handlers of routes run in threads of the proxy."""

    def __init__(self, context: Context, driver: WebDriver, proxy: Proxy, base: str, kind: str, timeout: float) -> None:
        super().__init__(self)
        self.context, self.timeout = context, timeout
        self.request = Fetch(base)
        self.keyboard, self.mouse = WebKitKeyboard(driver), WebKitMouse(driver, kind)
        self.clock = WebKitClock(self, proxy)
        self._base, self._driver, self._proxy = base, driver, proxy
        self._listeners = _Listeners()

    # --- addresses --------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return str(self._driver.get("/url"))

    def goto(self, address: str) -> Answer:
        address = urljoin(self._base, address)
        self._driver.post("/url", url=address)
        self._dispatch()
        return Answer(self._proxy.statuses.get(address))

    def reload(self) -> None:
        self._driver.post("/refresh")
        self._dispatch()

    def close(self) -> None:
        self._dispatch()
        self.context.close()

    # --- scripts ----------------------------------------------------------------------------------

    def execute(self, body: str, *arguments: Any) -> Any:
        """Run the body of a function; a dialog in its way is answered first."""
        self._dispatch()
        try:
            return self._driver.execute(body, *arguments)
        except DriverError as error:
            if error.code != "unexpected alert open":
                raise
        self._answer_dialog()
        return self._driver.execute(body, *arguments)

    def evaluate(self, expression: str, argument: Any = None) -> Any:
        """The value of an expression, or of the function that it is; statements have none."""
        if expression.rstrip().endswith(";"):
            return self.execute(expression)
        body = "return typeof value === 'function' ? value(arguments[0]) : value;"
        return self.execute(f"const value = ({expression}); {body}", argument)

    def _answer_dialog(self) -> None:
        dialog = WebKitDialog(str(self._driver.get("/alert/text")), lambda: self._driver.post("/alert/accept"))
        listeners = self._listeners.take("dialog")
        if not listeners:
            self._driver.post("/alert/dismiss")
        for listener in listeners:
            listener(dialog)

    # --- events -----------------------------------------------------------------------------------

    def on(self, name: str, listener: Callable[[Any], object]) -> None:
        self._listeners.always.setdefault(name, []).append(listener)

    def once(self, name: str, listener: Callable[[Any], object]) -> None:
        self._listeners.once.setdefault(name, []).append(listener)

    def route(self, pattern: Pattern, handler: Callable[[PageRoute], object], times: int | None = None) -> None:
        self._proxy.rules.append(Rule(pattern, handler, times))

    def unroute_all(self, behavior: str = "default") -> None:  # noqa: ARG002
        self._proxy.rules.clear()

    @contextmanager
    def expect_event(self, name: str, predicate: Callable[[Any], bool] = bool) -> Iterator[Expected]:
        expected, seen = Expected(), []
        self.on(name, lambda one: seen.append(one) if predicate(one) else None)
        yield expected
        until(lambda: self._dispatched(seen), self.timeout, f"no {name}")
        expected.value = seen[0]

    def expect_request(self, pattern: Pattern) -> Any:
        return self.expect_event("request", lambda one: matches(pattern, one.url))

    @contextmanager
    def expect_download(self) -> Iterator[Expected]:
        expected, folder = Expected(), self._driver.downloads
        yield expected
        (file,) = until(
            lambda: [file for file in folder.iterdir() if file.suffix != ".wkdownload" and file.stat().st_size],
            self.timeout,
            "no download",
        )
        taken = Path(mkdtemp(dir=folder.parent)) / file.name  # a second one of this name would not be written
        expected.value = Download(file.rename(taken))

    def _dispatched(self, seen: list[Any]) -> list[Any]:
        """What listeners have seen by now."""
        self._dispatch()
        return seen

    def _dispatch(self) -> None:
        """Tell listeners what has happened."""
        while True:
            try:
                name, what = self._proxy.events.get_nowait()
            except queue.Empty:
                return
            if name == "fault":
                name, what = what["kind"], _as_said(what)
            for listener in self._listeners.take(name):
                listener(what)

    # --- the window -------------------------------------------------------------------------------

    def set_default_timeout(self, milliseconds: float) -> None:
        self.timeout = milliseconds / 1000

    def set_viewport_size(self, size: dict[str, int]) -> None:
        bar = 0
        for _ in range(2):  # the bar of the browser is a part of its window
            self._driver.post("/window/rect", width=size["width"], height=size["height"] + bar)
            until(lambda: self._driver.execute("return innerWidth === arguments[0];", size["width"]), 5, f"{size}")
            bar = size["height"] - self._driver.execute("return innerHeight;")

    def screenshot(self) -> bytes:
        return base64.b64decode(self._driver.get("/screenshot"))


def _as_said(fault: dict[str, str]) -> object:
    return ConsoleText(fault["text"], "error", {"url": fault["url"]}) if fault["kind"] == "console" else fault["text"]
