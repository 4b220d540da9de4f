"""``tsume serve``"""

from __future__ import annotations

import os
import socket
import sys

import click

from db.errors import StoreError
from db.store import Store
from tsume.commands.options import lang_option, memory_option, seconds_option, store_option
from tsume.extras import Missing, require
from tsume.growing import Grower
from tsume.language.voice import Voice
from tsume.warmup import Part, warm_up

_MOST_TURNS = 500
_PROOF_NODES = 50_000
"""Nodes for the proofs of a problem's tries: a person waits."""
_MOST_CONNECTIONS = 100
_KEEP_ALIVE = 10
"""Seconds."""


@click.command()
@store_option
@click.option("--host", default="127.0.0.1", show_default=True, metavar="NAME",
              help="The address to listen at; others than this machine's own are for all.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="The port to listen at; 0: any that is free.")  # fmt: skip
@click.option("--browser", is_flag=True, help="Open the board in the browser of this machine.")
@lang_option(Voice.of("ja"))
@seconds_option(20.0)
@memory_option
def serve(place: str, host: str, port: int, browser: bool, voice: Voice, seconds: float, memory: int) -> None:
    """Solve stored problems on a board in the browser.

    It runs until it is stopped (Ctrl-C), on this machine and for this machine only. Nothing that it does
    changes the store.
    """
    try:
        require("web")
        with Store.open(place, create=False) as store, _listening(host, port) as listener:
            warm_up(Part.ENGINE)
            grower = Grower(seconds, memory, most_turns=_MOST_TURNS, proof_nodes=_PROOF_NODES)
            _run(store, grower, voice, host, listener, browser=browser)
    except (StoreError, Missing) as error:
        raise click.ClickException(str(error)) from None


def _run(
    store: Store, grower: Grower, voice: Voice, host: str, listener: socket.socket, *, browser: bool
) -> None:
    import uvicorn

    from tsume.web.app import application
    from tsume.web.guard import LOOPBACK

    name = f"[{host}]" if ":" in host else host
    app = application(store, grower, voice.words, LOOPBACK | {name.lower()})
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, ws="none",
        limit_concurrency=_MOST_CONNECTIONS, timeout_keep_alive=_KEEP_ALIVE, timeout_graceful_shutdown=1,
    )  # fmt: skip
    address = f"http://{name}:{listener.getsockname()[1]}/"
    click.echo(address)
    if browser and _has_screen():
        click.launch(address)  # what it asks for waits in the socket until the server runs
    uvicorn.Server(config).run(sockets=[listener])


def _has_screen() -> bool:
    """Whether a browser would open in a window: without one a text browser would take the terminal."""
    on_unix = sys.platform not in ("win32", "darwin")
    return not on_unix or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ClickException, which says where it cannot."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=_MOST_CONNECTIONS)
    except OSError as error:
        raise click.ClickException(f"{host} port {port}: {error.strerror or error}") from None
