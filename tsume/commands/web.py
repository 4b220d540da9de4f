# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume serve`` and ``tsume site``: problems in the browser, from a server or as files."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click

from db.errors import StoreError, store_place_name, stored_value_excerpt
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from tsume.commands import options
from tsume.commands.import_ import import_collection
from tsume.extras import require_extra
from tsume.files.inputs import print_complaint
from tsume.files.writing import new_folder, require_replaceable, require_usable_output
from tsume.language.catalogue import Language, Voice
from tsume.progress import with_progress_bar
from tsume.uses.trees import BOARD, ReplyTreeBuilder
from tsume.web.server import is_wildcard_host, local_host, network_hosts, own_host_name
from tsume.web.solver_scripts import API, NETWORK, WORKER, build_command, build_files, existing_files, network_as_script
from tsume_rules.kernel.compile import library_of

if TYPE_CHECKING:
    from tsume.site.pages import SiteOptions


# --- the foreground of the terminal, for a command that `make` runs and Ctrl-C ends ----------------


@contextmanager
def own_process_group() -> Iterator[None]:
    """Inside the block Ctrl-C reaches this process and its children, but not the `make` that runs it.

    Otherwise make ends by the signal too, and its status is that of an error, whatever the command's is.
    Ctrl-Z has no effect inside the block: nobody could continue the process. Without make or without a
    terminal nothing changes.
    """
    if sys.platform == "win32" or not _is_run_by_make():
        yield
        return
    terminal, group = sys.stdin.fileno(), os.getpgrp()
    before = {one: signal.signal(one, signal.SIG_IGN) for one in (signal.SIGTTOU, signal.SIGTSTP)}
    try:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpgrp())
        yield
    finally:
        os.tcsetpgrp(terminal, group)
        os.setpgid(0, group)
        for one, handler in before.items():
            signal.signal(one, handler)


def _is_run_by_make() -> bool:
    """Return whether make started this process in its own process group, in the foreground of a terminal."""
    if sys.platform == "win32" or "MAKELEVEL" not in os.environ or os.getpgrp() == os.getpid():
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):  # no terminal
        return False


# --- ``tsume serve`` -------------------------------------------------------------------------------

_MAX_TO_COME = 500
"""Connections that wait to be accepted."""
_OTHERS = {
    (False, False): "serving.others_solve_unsaved",
    (False, True): "serving.others_solve",
    (True, False): "serving.others_search",
    (True, True): "serving.others_save",
}
"""The phrase for what others may do, by whether they may work and whether anything is saved."""


@click.command()
@options.store_option
@click.option("--host", default="127.0.0.1", show_default=True, metavar="NAME",
              help="Address to listen on; any but this machine's own is open to others.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port to listen on; 0 for any free one.")  # fmt: skip
@options.flag("--browser", help="Open the board in a browser on this machine.")
@click.option("--name", "names", multiple=True, metavar="NAME",
              help="Additional host name to accept; repeatable.")  # fmt: skip
@options.flag("--open", "is_open", help="Also let other machines run searches and save problems.")
@options.flag("--sign-up", help="Let others choose a name and a passphrase for training.")
@options.flag("--read-only", help="Do not save anything.")
@options.lang_option(
    Voice.of("ja"),
    "First language of the pages, by default that of the browser; language of messages in the terminal, by "
    "default that of the locale.",
)
@options.seconds_option(20.0)
@options.memory_option
def serve(
    place: str, host: str, port: int, browser: bool, names: tuple[str, ...], is_open: bool, sign_up: bool,
    read_only: bool, voice: Voice, seconds: float, memory: int,
) -> None:  # fmt: skip
    """Solve stored problems on a board in the browser; compose and save new ones.

    The server runs until it is stopped (Ctrl-C), by default for this machine only. With --host, others can
    view and solve problems; only this machine can run searches and save, unless --open is given.

    Without --db, a missing store is made, with the problems of the collection that comes with tsume.
    """
    require_extra("web")
    is_fixed = options.is_option_given("voice")
    terminal = voice if is_fixed else Voice.of(options.locale_language())
    # The default store is made if it is missing; a name that was given may be mistyped.
    is_default = not options.is_option_given("place") and place == options.DEFAULT_STORE
    if is_default and not (read_only or Path(place).exists()):
        import_collection(place, terminal)
    with (
        suppress(KeyboardInterrupt),
        own_process_group(),
        Store.open(place, create=False) as store,
        _listening(host, port) as listener,
    ):
        from tsume.web.api.access import Permissions
        from tsume.web.app import web_application
        from tsume.web.guard import HostNames
        from tsume.web.server import run_server

        library_of("solver")  # a checkout compiles it, which processes that wait for jobs should not wait for
        builder = ReplyTreeBuilder(replace(BOARD, seconds=seconds, memory=memory))
        is_everywhere = is_wildcard_host(host)
        own = own_host_name() if is_everywhere else None
        name = f"[{host}]" if ":" in host else host
        known = (name, *names, *([] if own is None else [own]))  # besides those of the loopback
        host_names = HostNames.of(*known, any_address=is_everywhere)
        permissions = Permissions(is_open, not (read_only or store.read_only), sign_up)
        app = web_application(
            store, builder, voice.words, host_names, permissions, memory, seconds,
            existing_files, build_command, asks_browser=not is_fixed,
        )  # fmt: skip

        def announce() -> None:
            own_address, port = listener.getsockname()[:2]
            address = f"http://{local_host(listener) if is_everywhere else name}:{port}/"
            click.echo(address)
            if browser and _can_open_browser():
                click.launch(address)
            if ip_address(own_address).is_loopback:
                return
            # On stderr the addresses of other machines, and what they may do there.
            if is_everywhere:
                addresses = " ".join(f"http://{one}:{port}/" for one in network_hosts(listener))
                network = terminal("serving.network", addresses=addresses)
                click.echo(network if addresses else terminal("serving.no_network"), err=True)
            click.echo(terminal(_OTHERS[is_open, permissions.saving]), err=True)

        run_server(app, listener, announce)


def _can_open_browser() -> bool:
    """Return whether a browser would open in a window: without one a text browser would take the terminal."""
    on_unix = sys.platform not in ("win32", "darwin")
    return not on_unix or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; at :: for IPv4 too. Raises ClickException, which says where it cannot."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        both = family == socket.AF_INET6 and is_wildcard_host(host) and socket.has_dualstack_ipv6()
        return socket.create_server(address[:2], family=family, backlog=_MAX_TO_COME, dualstack_ipv6=both)
    except OSError as error:
        raise click.ClickException(f"{host} port {port}: {error.strerror or error}") from None


# --- ``tsume site`` --------------------------------------------------------------------------------

_URL = re.compile(r"https?://[\w.-]+(:\d{1,5})?(/[\w.~!$&'()*+,;=:@%-]*)*", re.ASCII)
_LONGEST_URL = 1000


def _web_address(_context: click.Context, _parameter: click.Parameter, url: str | None) -> str | None:
    """Return an address at which pages can be, with a slash at its end."""
    if url is None:
        return None
    if len(url) > _LONGEST_URL or not _URL.fullmatch(url):
        raise click.BadParameter(f"{stored_value_excerpt(url)!r} is not an address such as https://example.org/tsume/")
    return url if url.endswith("/") else f"{url}/"


@click.command()
@options.store_option
@click.option("-o", "--output", metavar="FOLDER", required=True,
              help="Output folder; a site made there earlier is replaced.")  # fmt: skip
@options.languages_option(of_files=True)
@click.option("--site-title", default="", callback=options.valid_title, metavar="TEXT",
              help="Title of the site.")  # fmt: skip
@click.option("--url", callback=_web_address, metavar="URL",
              help="Address at which the site will be published; adds a feed and a sitemap.")  # fmt: skip
@options.licence_option("Terms of use of the problems, for the licence file.")
@options.jobs_option("Number of processes; by default one, for many problems one per processor.")
@options.selection_options
def site(
    place: str, output: str, languages: list[Language], site_title: str, url: str | None, licence: str | None,
    jobs: int | None, wanted: ProblemSelection,
) -> None:  # fmt: skip
    """Make a static web site for solving stored problems, without a server or a network.

    The pages work when opened as files and on any host.
    """
    try:
        require_extra("site")
        from tsume.site.pages import SITE, SiteOptions

        require_usable_output(output)
        require_replaceable(Path(output), SITE)
        with Store.open(place, create=False) as store:
            problems = [store.playable(problem) for problem in store.find(wanted)]
            if not problems:
                raise StoreError(f"{store.name}: no problems")
    except StoreError:
        raise
    except (OSError, ValueError) as error:
        raise _site_error(output, error) from None
    try:
        previews = url is not None and find_spec("typst") is not None
        asked = SiteOptions(tuple(languages), site_title, url, licence, previews=previews)
        _make_site(Path(output), asked, problems, jobs)
    except OSError as error:
        raise _site_error(output, error) from None


def solver_scripts() -> dict[str, bytes]:
    """Return the scripts by name; none if they cannot be built, for which a line on stderr says why."""
    found = build_files()
    return {name: found[name] for name in (API, WORKER) if found}


def _make_site(folder: Path, asked: SiteOptions, problems: Sequence[StoredProblem], jobs: int | None) -> None:
    """Make a site and say what it is. Raises OSError."""
    from tsume.site.build import ContentVersion, all_problem_files, service_worker_file, shared_site_files, static_files
    from tsume.site.pages import SITE

    solver = solver_scripts()
    network = {NETWORK: network_as_script()} if solver else {}
    static = dict(static_files(asked, problems, solver | network))
    wanted = replace(asked, static_version=ContentVersion(static.items()).text, has_solver=bool(solver))
    with new_folder(folder, SITE) as draft:
        version = ContentVersion(static.items())
        for made in with_progress_bar(all_problem_files(wanted, problems, jobs), len(problems)):
            for name, content in made:
                version.add(name, content)
                draft.write(name, content)
        for name, content in shared_site_files(wanted, problems):
            version.add(name, content)
            draft.write(name, content)
        for name, content in (*static.items(), service_worker_file(wanted, static, version.text)):
            draft.write(name, content)
    where = store_place_name(str(folder))
    number = f"{len(problems)} problem{'s' * (len(problems) > 1)}"
    if not solver:
        print_complaint(where, "without the solver for browsers, only short problems can be played, and none composed")
    if asked.url is None:
        print_complaint(where, "without --url, no feed and no sitemap are made")
    options.print_line(f"{where}: {number}, {draft.size / 1e6:.1f} MB; open {where}/index.html")


def _site_error(output: str, error: Exception) -> click.ClickException:
    text = error.strerror if isinstance(error, OSError) else None
    return click.ClickException(f"{store_place_name(output) or '-o'}: {text or error}")
