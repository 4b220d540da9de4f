# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and pointers, pressed by WebDriver."""

from __future__ import annotations

from typing import Any

from tests.browsers.webkit.driver import WebDriver

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
