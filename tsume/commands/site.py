# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume site``"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from db.errors import StoreError, store_place_name, stored_value_excerpt
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from tsume.commands.browser_solver import solver_scripts
from tsume.commands.licence_option import licence_option
from tsume.commands.options import (
    languages_option,
    selection_options,
    store_option,
    title_text,
)
from tsume.commands.output import print_line
from tsume.extras import require_extra
from tsume.files.inputs import print_complaint
from tsume.files.writing import require_usable_output
from tsume.language.catalogue import Language
from tsume.progress import with_progress_bar

if TYPE_CHECKING:
    from tsume.site.folder import SiteOptions

_URL = re.compile(r"https?://[\w.-]+(:\d{1,5})?(/[\w.~!$&'()*+,;=:@%-]*)*", re.ASCII)
_LONGEST_URL = 1000


def _address(_context: click.Context, _parameter: click.Parameter, url: str | None) -> str | None:
    """An address at which pages can be, with a slash at its end."""
    if url is None:
        return None
    if len(url) > _LONGEST_URL or not _URL.fullmatch(url):
        raise click.BadParameter(
            f"{stored_value_excerpt(url)!r} is not an address such as https://example.org/tsume/"
        )
    return url if url.endswith("/") else f"{url}/"


@click.command()
@store_option
@click.option("-o", "--output", metavar="FOLDER", required=True,
              help="Output folder; a site made there earlier is replaced.")  # fmt: skip
@languages_option(of_files=True)
@click.option("--site-title", default="", callback=title_text, metavar="TEXT",
              help="Title of the site.")  # fmt: skip
@click.option("--url", callback=_address, metavar="URL",
              help="Address at which the site will be published; adds a feed and a sitemap.")  # fmt: skip
@licence_option("Terms of use of the problems, for the licence file.")
@click.option("-j", "--jobs", type=click.IntRange(1, 256),
              help="Number of processes; by default one, for many problems one per processor.")  # fmt: skip
@selection_options
def site(
    place: str,
    output: str,
    languages: list[Language],
    site_title: str,
    url: str | None,
    licence: str | None,
    jobs: int | None,
    wanted: ProblemSelection,
) -> None:
    """Make a static web site for solving stored problems, without a server or a network.

    The pages work when opened as files and on any host.
    """
    from tsume.files.made_folder import require_replaceable
    from tsume.site.folder import SITE

    try:
        require_extra("site")
        require_usable_output(output)
        require_replaceable(Path(output), SITE)
        problems = _site_problems(place, wanted)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except (OSError, ValueError) as error:
        raise _site_error(output, error) from None
    from tsume.site.folder import SiteOptions

    options = SiteOptions(tuple(languages), site_title, url, licence)
    try:
        _make_site(Path(output), options, problems, jobs)
    except OSError as error:
        raise _site_error(output, error) from None


def _site_problems(place: str, wanted: ProblemSelection) -> list[StoredProblem]:
    with Store.open(place, create=False) as store:
        problems = [store.playable(problem) for problem in store.find(wanted)]
        if not problems:
            raise StoreError(f"{store.name}: no problems")
    return problems


def _make_site(
    folder: Path,
    options: SiteOptions,
    problems: Sequence[StoredProblem],
    jobs: int | None,
) -> None:
    """Make a site and say what it is. Raises OSError."""
    from tsume.browser.network import NETWORK, network_script
    from tsume.files.made_folder import new_folder
    from tsume.site.build import ContentVersion, all_problem_files, other_files, static_files, worker_file
    from tsume.site.folder import SITE

    solver = solver_scripts()
    network = {NETWORK: network_script()} if solver else {}
    static = dict(static_files(options, problems, solver | network))
    options = replace(options, static_version=ContentVersion(static.items()).text, has_solver=bool(solver))
    with new_folder(folder, SITE) as draft:
        version = ContentVersion(static.items())
        for made in with_progress_bar(all_problem_files(options, problems, jobs), len(problems)):
            for name, content in made:
                version.add(name, content)
                draft.write(name, content)
        for name, content in other_files(options, problems):
            version.add(name, content)
            draft.write(name, content)
        for name, content in (*static.items(), worker_file(options, static, version.text)):
            draft.write(name, content)
    where = store_place_name(str(folder))
    number = f"{len(problems)} problem{'s' * (len(problems) > 1)}"
    if not solver:
        print_complaint(
            where, "without the solver for browsers, only short problems can be played, and none composed"
        )
    if options.url is None:
        print_complaint(where, "without --url, no feed and no sitemap are made")
    print_line(f"{where}: {number}, {draft.size / 1e6:.1f} MB; open {where}/index.html")


def _site_error(output: str, error: Exception) -> click.ClickException:
    text = error.strerror if isinstance(error, OSError) else None
    return click.ClickException(f"{store_place_name(output) or '-o'}: {text or error}")
