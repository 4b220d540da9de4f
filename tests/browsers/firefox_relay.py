# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay between Playwright and Firefox: it passes WebDriver BiDi on and mends what the two disagree on.

- Playwright sends ``emulation.setMediaFeaturesOverride`` for every context; Firefox does not know it, so the
  relay answers. The colour scheme is a preference, see `tests.browsers.firefox`.
- Playwright sends no touches by BiDi: what a mouse does in a context with touch is done by a finger.
- Firefox counts clicks within one command; Playwright sends a command for each press and release.
- Playwright asks for names of downloads, which Firefox does not give them.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection
    from websockets.asyncio.server import ServerConnection

Message = dict[str, Any]
_UNKNOWN = "emulation.setMediaFeaturesOverride"


class FirefoxRelay:
    """A server on ``port``; ``ws://127.0.0.1:PORT/OTHER/session`` leads to a Firefox on port OTHER."""

    def __init__(self) -> None:
        self.port = 0
        self.makes_touch_contexts = False
        """User contexts that are asked for now have touch."""
        self.doubles_clicks = False
        """A click is sent as a double click."""
        self._downloads = 0
        self._asked: set[tuple[ClientConnection, int]] = set()
        self._touched_users: set[str] = set()
        self._touched: set[str] = set()

    async def serve(self, started: threading.Event, stopped: asyncio.Event) -> None:
        """Relay connections until ``stopped``."""
        from websockets.asyncio.server import serve

        # A process that compiles a kernel answers no ping for long.
        options: dict[str, Any] = {"max_size": None, "compression": None, "ping_interval": None}
        async with serve(self._connected, "127.0.0.1", 0, **options) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            started.set()
            await stopped.wait()

    async def _connected(self, playwright: ServerConnection) -> None:
        from websockets.asyncio.client import connect

        assert playwright.request is not None
        port, _, path = playwright.request.path.removeprefix("/").partition("/")
        address = f"ws://127.0.0.1:{port}/{path}"
        async with connect(address, max_size=None, compression=None, ping_interval=None) as firefox:
            both = [
                asyncio.create_task(self._commands(playwright, firefox)),
                asyncio.create_task(self._answers(firefox, playwright)),
            ]
            ended, others = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in others:
                task.cancel()
            for task in ended:
                task.result()  # an error of the relay is logged

    async def _commands(self, playwright: ServerConnection, firefox: ClientConnection) -> None:
        async for text in playwright:
            command = json.loads(text)
            if command["method"] == _UNKNOWN or (
                self.doubles_clicks
                and any(source["actions"][0]["type"] == "pointerDown" for source in _pointers(command))
            ):
                await playwright.send(json.dumps({"type": "success", "id": command["id"], "result": {}}))
            else:
                await firefox.send(json.dumps(self._changed(command, firefox)))

    async def _answers(self, firefox: ClientConnection, playwright: ServerConnection) -> None:
        async for text in firefox:
            message = json.loads(text)
            self._note(message, firefox)
            await playwright.send(json.dumps(message) if self._names(message) else text)

    def _changed(self, command: Message, firefox: ClientConnection) -> Message:
        """The command; pointer actions in a context with touch are those of a finger."""
        if command["method"] == "browser.createUserContext" and self.makes_touch_contexts:
            self._asked.add((firefox, command["id"]))
        for source in _pointers(command):
            if command["params"]["context"] in self._touched:
                source.update(id="finger", parameters={"pointerType": "touch"})
            if self.doubles_clicks and source["actions"][0]["type"] == "pointerUp":
                source["actions"] = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp") * 2]
        return command

    def _names(self, message: Message) -> bool:
        """Name the download that a message is about; return whether there is one."""
        begins = message.get("method") == "browsingContext.downloadWillBegin"
        if begins or message.get("method") == "browsingContext.downloadEnd":
            self._downloads += begins
            message["params"]["download"] = f"download-{self._downloads}"
            return True
        return False

    def _note(self, answer: Message, firefox: ClientConnection) -> None:
        """Remember which contexts have touch."""
        if (firefox, answer.get("id")) in self._asked:
            self._touched_users.add(answer["result"]["userContext"])
        if answer.get("method") == "browsingContext.contextCreated":
            created = answer["params"]
            if created["userContext"] in self._touched_users:
                self._touched.add(created["context"])


def _pointers(command: Message) -> list[Message]:
    if command["method"] != "input.performActions":
        return []
    return [source for source in command["params"]["actions"] if source["type"] == "pointer"]


@contextmanager
def relaying() -> Iterator[FirefoxRelay]:
    """A relay that runs in a thread of its own."""
    relay, started, stopped = FirefoxRelay(), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=[relay.serve(started, stopped)])
    thread.start()
    started.wait()
    try:
        yield relay
    finally:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(stopped.set)
        thread.join()
        loop.close()
