# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of a page, looked for anew each time they are used."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.browsers.webkit.driver import DriverError, WebDriver

_KEYS = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009",
    "Alt": "\ue00a", "Escape": "\ue00c", "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Delete": "\ue017",
}  # fmt: skip


class WebKitKeyboard:
    """Keys, by their names in Playwright."""

    def __init__(self, driver: WebDriver) -> None:
        self._driver = driver

    def press(self, key: str) -> None:
        *held, last = key.split("+") if len(key) > 1 else [key]
        keys = [_KEYS.get(name, name) for name in (*held, last)]
        down = [{"type": "keyDown", "value": value} for value in keys]
        up = [{"type": "keyUp", "value": value} for value in reversed(keys)]
        self._driver.actions("key", "keyboard", *down, *up)


class WebKitMouse:
    """A mouse, or a finger: WebKitGTK takes touches from WebDriver, but gives pages those of a mouse."""

    def __init__(self, driver: WebDriver, kind: str) -> None:
        self._driver, self._kind = driver, kind

    def move(self, x: float, y: float) -> None:
        self._act({"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0})

    def down(self) -> None:
        self._act({"type": "pointerDown", "button": 0})

    def up(self) -> None:
        self._act({"type": "pointerUp", "button": 0})

    def press(self, x: float, y: float, times: int) -> None:
        """Click somewhere."""
        once = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self._act({"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0}, *once * times)

    def _act(self, *actions: dict[str, Any]) -> None:
        self._driver.actions("pointer", self._kind, *actions, pointerType=self._kind)


FIND = (Path(__file__).parent / "find.js").read_text(encoding="utf-8")
PAUSE = 0.03
"""Seconds between two looks."""
Text = str | re.Pattern[str]


@dataclass(frozen=True)
class Step:
    """One step from elements to others: below them by selector, role, label or text, or by index."""

    by: str
    value: str = ""
    wanted: dict[str, Any] | None = None
    level: int | None = None
    index: int = 0


class Page(Protocol):
    """What locators need of a page; ``timeout`` in seconds."""

    context: Any
    timeout: float
    keyboard: WebKitKeyboard
    mouse: WebKitMouse

    def execute(self, body: str, *arguments: Any) -> Any:
        """Run the body of a function."""


class WebKitLocator:
    """The part of Playwright's ``Locator`` that tests use."""

    def __init__(self, page: Page, *steps: Step) -> None:
        self.page = page
        self._steps = steps

    def __repr__(self) -> str:
        return f"{self._steps}"

    # --- narrower ---------------------------------------------------------------------------------

    def locator(self, selector: str, *, has_text: Text | None = None) -> WebKitLocator:
        return self._below(Step("css", selector, wanted(has_text)))

    def get_by_role(
        self, role: str, *, name: Text | None = None, exact: bool = False, level: int | None = None
    ) -> WebKitLocator:
        return self._below(Step("role", role, wanted(name, exact), level))

    def get_by_label(self, text: Text, *, exact: bool = False) -> WebKitLocator:
        return self._below(Step("label", wanted=wanted(text, exact)))

    def get_by_text(self, text: Text, *, exact: bool = False) -> WebKitLocator:
        return self._below(Step("text", wanted=wanted(text, exact)))

    def nth(self, index: int) -> WebKitLocator:
        return self._below(Step("index", index=index))

    @property
    def first(self) -> WebKitLocator:
        return self.nth(0)

    @property
    def last(self) -> WebKitLocator:
        return self.nth(-1)

    def all(self) -> list[WebKitLocator]:
        return [self.nth(index) for index in range(self.count())]

    # --- what it is -------------------------------------------------------------------------------

    def count(self) -> int:
        return len(self.states())

    def states(self, attribute: str = "", property_name: str = "") -> list[dict[str, Any]]:
        """Texts, visibility and so on of all of the elements."""
        found: list[dict[str, Any]] = self._run(
            "return TsumeFind.states(arguments[0], arguments[1], arguments[2]);", attribute, property_name
        )
        return found

    def is_visible(self) -> bool:
        found = self.states()
        return bool(found) and bool(found[0]["visible"])

    def inner_html(self) -> str:
        return str(self.evaluate("one => one.innerHTML"))

    def inner_text(self) -> str:
        return str(self.evaluate("one => one.innerText"))

    def get_attribute(self, name: str) -> str | None:
        value: str | None = self.evaluate("(one, name) => one.getAttribute(name)", name)
        return value

    def bounding_box(self) -> dict[str, float] | None:
        self.scroll_into_view_if_needed()
        box: dict[str, float] = self.evaluate(
            "one => { const {x, y, width, height} = one.getBoundingClientRect(); return {x, y, width, height}; }"
        )
        return box

    def evaluate(self, function: str, argument: Any = None) -> Any:
        """The value of a function of the element, as soon as there is one."""
        body = f"""
            const one = TsumeFind.findOne(arguments[0]);
            return one && Promise.resolve(({function})(one, arguments[1])).then((value) => [value]);
        """
        return self._until(lambda: self._run(body, argument))[0]

    # --- what is done to it -----------------------------------------------------------------------

    def click(self, *, button: str = "left", click_count: int = 1) -> None:
        if button == "right":  # WebDriver of WebKitGTK would never let go of it
            self.evaluate(
                "one => one.dispatchEvent(new MouseEvent('contextmenu', {button: 2, bubbles: true, cancelable: true}))"
            )
            return

        def is_done() -> bool:
            place = self._run("return TsumeFind.guardedPlace(arguments[0]);")
            if place is None:
                return False
            self.page.mouse.press(place["x"], place["y"], click_count)
            return bool(self._run("return TsumeFind.wasHit();"))

        self._until(is_done)

    def dblclick(self) -> None:
        self.click(click_count=2)

    def hover(self) -> None:
        self.page.mouse.move(*self._middle())

    def drag_to(self, target: WebKitLocator) -> None:
        self.hover()
        self.page.mouse.down()
        target.hover()
        self.page.mouse.up()

    def focus(self) -> None:
        self.evaluate("one => one.focus()")

    def fill(self, text: str) -> None:
        self.evaluate(
            "(one, text) => { one.focus(); one.select();"
            " document.execCommand(text ? 'insertText' : 'delete', false, text); }",
            text,
        )

    def press(self, key: str) -> None:
        self.focus()
        self.page.keyboard.press(key)

    def scroll_into_view_if_needed(self) -> None:
        self.evaluate("one => one.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'})")

    def _middle(self) -> tuple[float, float]:
        place = self._until(lambda: self._run("return TsumeFind.place(arguments[0]);"))
        return place["x"], place["y"]

    def _run(self, body: str, *arguments: Any) -> Any:
        return self.page.execute(f"{FIND}{body}", [asdict(step) for step in self._steps], *arguments)

    def _until(self, look: Callable[[], Any]) -> Any:
        return until(look, self.page.timeout, f"nothing can be done to {self}")

    def _below(self, step: Step) -> WebKitLocator:
        return WebKitLocator(self.page, *self._steps, step)


def until(look: Callable[[], Any], seconds: float, why: str) -> Any:
    """What ``look`` returns, once that is true; a page that is being replaced is looked at again."""
    end = time.monotonic() + seconds
    while True:
        error: DriverError | None = None
        try:
            if found := look():
                return found
        except DriverError as caught:
            error = caught
        if time.monotonic() > end:
            raise AssertionError(why) from error
        time.sleep(PAUSE)


def wanted(text: Text | None, exact: bool = False) -> dict[str, Any] | None:
    """A text for the script: a part of another, all of it, or an expression."""
    if text is None:
        return None
    if isinstance(text, str):
        return {"text": text, "isExact": exact}
    return {"pattern": text.pattern, "flags": "i" if text.flags & re.IGNORECASE else ""}
