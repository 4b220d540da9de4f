# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume serve``"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import click
from click.core import ParameterSource

from db.errors import StoreError
from db.store import Store
from tsume.commands.browser_solver import build_command, found_scripts
from tsume.commands.collection import import_collection
from tsume.commands.foreground import apart_from_make
from tsume.commands.options import (
    DEFAULT_STORE,
    lang_option,
    locale_language,
    memory_option,
    seconds_option,
    store_option,
)
from tsume.extras import require_extra
from tsume.language.voice import Voice
from tsume.services.trees import ReplyTreeBuilder
from tsume.warmup import KernelPart, is_warm, warm_up, warm_up_command
from tsume.web.own_addresses import is_wildcard_host, local_host, network_hosts, own_host_name

_MOST_TO_COME = 500
"""Connections that wait to be accepted."""


_KERNELS = (KernelPart.ENGINE, KernelPart.LIKENESS, KernelPart.GENERATOR)
"""What searches, judgements and composing need."""
_OTHERS = {
    (False, False): "serving.others_solve_unsaved",
    (False, True): "serving.others_solve",
    (True, False): "serving.others_search",
    (True, True): "serving.others_save",
}
"""The phrase for what others may do, by whether they may work and whether anything is saved."""


@click.command()
@store_option
@click.option("--host", default="127.0.0.1", show_default=True, metavar="NAME",
              help="Address to listen on; any but this machine's own is open to others.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port to listen on; 0 for any free one.")  # fmt: skip
@click.option("--browser", is_flag=True, help="Open the board in a browser on this machine.")
@click.option("--name", "names", multiple=True, metavar="NAME",
              help="Additional host name to accept; repeatable.")  # fmt: skip
@click.option(
    "--open", "is_open", is_flag=True, help="Also let other machines run searches and save problems."
)
@click.option("--sign-up", is_flag=True, help="Let others choose a name and a passphrase for training.")
@click.option("--read-only", is_flag=True, help="Do not save anything.")
@lang_option(Voice.of("ja"))
@seconds_option(20.0)
@memory_option
@click.pass_context
def serve(
    context: click.Context,
    place: str,
    host: str,
    port: int,
    browser: bool,
    names: tuple[str, ...],
    is_open: bool,
    sign_up: bool,
    read_only: bool,
    voice: Voice,
    seconds: float,
    memory: int,
) -> None:
    """Solve stored problems on a board in the browser; compose and save new ones.

    The server runs until it is stopped (Ctrl-C), by default for this machine only. With --host, others can
    view and solve problems; only this machine can run searches and save, unless --open is given.

    Without --db, a missing store is made, with the problems of the collection that comes with tsume.
    """
    try:
        require_extra("web")
        is_fixed = context.get_parameter_source("voice") is not ParameterSource.DEFAULT
        terminal = voice if is_fixed else Voice.of(locale_language())
        if _is_first_start(context, place) and not read_only:
            import_collection(place, terminal)
        with (
            suppress(KeyboardInterrupt),
            apart_from_make(),
            Store.open(place, create=False) as store,
            _listening(host, port) as listener,
        ):
            from tsume.web.rendered_tree import MOST_TURNS, PROOF_NODES

            builder = ReplyTreeBuilder(seconds, memory, most_turns=MOST_TURNS, proof_nodes=PROOF_NODES)
            access = _Access(is_open, not (read_only or store.read_only), sign_up)
            serving = _BoardServer(
                store, builder, voice, terminal, is_fixed, host, names, access, memory, seconds
            )
            serving.run(listener, browser=browser)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _is_first_start(context: click.Context, place: str) -> bool:
    """Whether no store is named and the default one does not exist; a name may be mistyped."""
    is_named = context.get_parameter_source("place") is not ParameterSource.DEFAULT
    return not is_named and place == DEFAULT_STORE and not Path(place).exists()


@dataclass(frozen=True)
class _Access:
    """What others may do, and whether anything is saved: the fields of `Permissions`, loaded later."""

    remote: bool
    saving: bool
    sign_up: bool


@dataclass(frozen=True)
class _BoardServer:
    """What is served, to whom, and how."""

    store: Store
    builder: ReplyTreeBuilder
    voice: Voice
    """Of the pages, if the browser names no language that they have."""
    terminal: Voice
    has_fixed_language: bool
    host: str
    names: tuple[str, ...]
    access: _Access
    memory: int
    seconds: float

    def run(self, listener: socket.socket, *, browser: bool) -> None:
        """Print the address and serve until it is stopped."""
        from tsume.web.api.access import Permissions
        from tsume.web.app import application
        from tsume.web.guard import HostNames
        from tsume.web.server import run_server

        names = HostNames.of(*self._known_names, any_address=self._is_everywhere)
        permissions = Permissions(self.access.remote, self.access.saving, self.access.sign_up)
        app = application(
            self.store, self.builder, self.voice.words, names, permissions, self.memory, self.seconds,
            found_scripts, _compiling(), build_command, asks_browser=not self.has_fixed_language,
        )  # fmt: skip
        address = _address(local_host(listener) if self._is_everywhere else self._name, listener)
        click.echo(address)
        self._announce(listener)
        if browser and _can_open_browser():
            click.launch(address)  # what it asks for waits in the socket until the server runs
        run_server(app, listener)

    @property
    def _is_everywhere(self) -> bool:
        return is_wildcard_host(self.host)

    @property
    def _name(self) -> str:
        """The host in an address."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def _known_names(self) -> tuple[str, ...]:
        """The host names that the server answers to, those of the loopback apart."""
        own = own_host_name() if self._is_everywhere else None
        return (self._name, *self.names, *([own] if own is not None else []))

    def _announce(self, listener: socket.socket) -> None:
        """Tell on stderr by which addresses others reach the server, and what they may do there."""
        if ip_address(listener.getsockname()[0]).is_loopback:
            return
        if self._is_everywhere:
            addresses = " ".join(_address(host, listener) for host in network_hosts(listener))
            network = self.terminal("serving.network", addresses=addresses)
            click.echo(network if addresses else self.terminal("serving.no_network"), err=True)
        click.echo(self.terminal(_OTHERS[self.access.remote, self.access.saving]), err=True)


def _compiling() -> list[str] | None:
    """The command that compiles what is missing while the server runs; None if nothing is."""
    if is_warm(*_KERNELS):
        return None
    command = warm_up_command(*_KERNELS)
    if command is None:
        warm_up(*_KERNELS)
    return command


def _address(host: str, listener: socket.socket) -> str:
    return f"http://{host}:{listener.getsockname()[1]}/"


def _can_open_browser() -> bool:
    """Whether a browser would open in a window: without one a text browser would take the terminal."""
    on_unix = sys.platform not in ("win32", "darwin")
    return not on_unix or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens; at :: for IPv4 too. Raises ClickException, which says where it cannot."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        both = family == socket.AF_INET6 and is_wildcard_host(host) and socket.has_dualstack_ipv6()
        return socket.create_server(address[:2], family=family, backlog=_MOST_TO_COME, dualstack_ipv6=both)
    except OSError as error:
        raise click.ClickException(f"{host} port {port}: {error.strerror or error}") from None
