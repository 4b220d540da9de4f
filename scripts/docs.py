# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation as web pages with Sphinx, and papers as PDF. Run through `scripts/docs`.

It also writes the tables of options in docs/cli.md, from the options that the commands define.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

import click

from scripts.documentation import LANGUAGES, CannotBuildPages, PageWriter
from scripts.documentation.paper import PAPERS, build_paper
from tsume import __version__
from tsume.cli import cli

HERE = Path(__file__).parent / "documentation"
COMMANDS = Path(__file__).parent.parent / "docs" / "cli.md"
MARK = ".tsume-docs"
"""A file that marks a folder as a site, which may be replaced."""

SITE_NAMES = {"en": "tsume documentation", "ja": "tsume の説明書"}
FONTS = {
    "font-stack": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Hiragino Sans', 'Noto Sans CJK JP', "
    "'Noto Sans JP', 'Yu Gothic UI', 'Meiryo', sans-serif",
    "font-stack--monospace": "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', "
    "'Noto Sans Mono CJK JP', 'BIZ UDGothic', monospace",
}
"""Fonts of the reader's system: none are loaded."""

SIDEBAR = ("brand", "language", "search", "scroll-start", "navigation", "scroll-end")


def build_site(folder: Path) -> None:
    """Write the site into a folder that does not exist, is empty, or has an older site."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise CannotBuildPages(f"{folder} is not empty and has no documentation that could be replaced")
    with tempfile.TemporaryDirectory() as made:
        site = Path(made, "site")
        for language in LANGUAGES:
            source = Path(made, language)
            source.mkdir()
            PageWriter(source, language).write()
            target = site if language == "en" else site / language
            try:
                from sphinx.application import Sphinx
                from sphinx.util.docutils import docutils_namespace
            except ModuleNotFoundError:
                raise CannotBuildPages("needs Sphinx: pip install 'tsume-shogi[docs]'") from None
            warnings = StringIO()
            with docutils_namespace():
                application = Sphinx(
                    source, None, target, Path(made, "trees", language), "html", _settings(language),
                    status=None, warning=warnings,
                )  # fmt: skip
                application.build(force_all=True)
            if warnings.getvalue():
                raise CannotBuildPages(f"warnings:\n{warnings.getvalue()}")
        # Remove what only Sphinx reads, and add what hosts read.
        for path in [*site.rglob(".buildinfo"), *site.rglob("objects.inv")]:
            path.unlink()
        for path in site.rglob("_sources"):
            shutil.rmtree(path)
        for name in (MARK, ".nojekyll"):
            (site / name).touch()
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(site, folder)


def _settings(language: str) -> dict[str, Any]:
    return {
        "extensions": ["myst_parser", "sphinx.ext.autodoc", "scripts.documentation.extension"],
        "project": "tsume",
        "version": __version__,
        "release": __version__,
        "language": language,
        "templates_path": [str(HERE / "theme")],
        "myst_enable_extensions": ["dollarmath", "html_image"],
        "myst_heading_anchors": 4,
        "default_role": "py:obj",
        "add_module_names": False,
        "autodoc_member_order": "bysource",
        "autodoc_typehints": "signature",
        "python_use_unqualified_type_names": True,
        "maximum_signature_line_length": 80,
        "html_math_renderer": "mathml",
        "html_theme": "furo",
        "html_title": SITE_NAMES[language],
        "html_static_path": [str(HERE / "static")],
        "html_css_files": ["tsume.css"],
        "html_js_files": ["search-ja.js"] if language == "ja" else [],
        "html_theme_options": {"light_css_variables": FONTS},
        "html_context": {"languages": {"en": "English", "ja": "日本語"}},
        "html_sidebars": {"**": [f"sidebar/{name}.html" for name in SIDEBAR]},
        "html_copy_source": False,
        "html_show_sourcelink": False,
        "html_show_copyright": False,
        "html_permalinks_icon": "#",
    }


# --- the tables of options in docs/cli.md ----------------------------------------------------------

_TABLE = re.compile(r"<!-- options: ([a-z ]+?)((?: --[\w-]+)*) -->\n.*?<!-- /options -->", re.DOTALL)
_WORD = re.compile(r"(`[^`]*`)|(?<![\w-])(--[a-z][a-z-]*|-[a-z](?!\w)|-(?= for ))")


def option_rows(path: str) -> dict[str, str]:
    """Return a row of a Markdown table for each option of a command (``runs resume``), by its long name.

    It has what ``--help`` shows; N stands for any number, and bounds that no user meets are left out.
    """
    command: click.Command | None = cli
    for word in path.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    if command is None:
        raise click.ClickException(f"{COMMANDS.name}: no command {path!r}")
    rows = {}
    for option in (one for one in command.params if isinstance(one, click.Option)):
        record = option.get_help_record(click.Context(command))
        assert record is not None, f"{path}: {option.name} is hidden"
        *others, last = re.split(", | / ", record[0])
        name, _, value = last.partition(" ")
        value = re.sub(r"^\[([^][]+)\]$|(INTEGER|FLOAT)( RANGE)?$", lambda found: found[1] or "N", value)
        names = ", ".join(f"`{' '.join((one, value)).strip()}`" for one in (*others, name))
        meaning = re.sub(r"(\d+)<=x<=\d{10}", r"x>=\1", " ".join(record[1].split()))
        meaning = _WORD.sub(lambda found: found[1] or f"`{found[2]}`", meaning)
        cells = [cell.replace("|", "\\|") for cell in (names, meaning)]
        rows[option.opts[-1]] = f"| {cells[0]} | {cells[1]} |"
    return rows


def with_option_tables(page: str) -> str:
    """Return the page of the commands with its tables of options as the commands define them.

    ``<!-- options: solve -->`` is followed by the table of a command, ``<!-- options: solve --file --at -->``
    by one of these options only. Other commands have options that are the same word for word: their tables
    leave out what such a table has, and link to its heading.
    """
    listed: list[tuple[str, str, str]] = []
    for found in _TABLE.finditer(page):
        heading = re.findall(r"^#+ (.+)$", page[: found.start()], re.MULTILINE)[-1]
        listed += [(found[1], option_rows(found[1])[name], heading) for name in found[2].split()]

    def table(found: re.Match[str]) -> str:
        path, names, rows = found[1], found[2].split(), option_rows(found[1])
        # Of several tables with a row, one of the command itself counts, else the first.
        places = {row: heading for own in (False, True) for command, row, heading in reversed(listed)
                  if (command == path) is own}  # fmt: skip
        own = [row for name, row in rows.items() if (name in names if names else row not in places)]
        parts = ["\n".join(["| option | meaning |", "|---|---|", *own])] if own else []
        if not names and len(own) < len(rows):
            others = dict.fromkeys(places[row] for row in rows.values() if row in places)
            links = (f"[{one}](#{re.sub('[^a-z -]', '', one.lower()).replace(' ', '-')})" for one in others)
            parts.append(f"More options: {', '.join(links)}.")
        return "\n".join([found[0].splitlines()[0], "\n\n".join(parts), "<!-- /options -->"])

    return _TABLE.sub(table, page)


def _write_options(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        COMMANDS.write_text(with_option_tables(COMMANDS.read_text(encoding="utf-8")), encoding="utf-8")
        context.exit()


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--paper", type=click.Choice(PAPERS), help="Write only this page of docs/papers, as PDF.")
@click.option("--options", is_flag=True, is_eager=True, expose_value=False, callback=_write_options,
              help="Write only the tables of options in docs/cli.md.")  # fmt: skip
def docs(folder: Path, paper: str | None) -> None:
    """Write the documentation into FOLDER: in English, and in Japanese below FOLDER/ja."""
    try:
        if paper:
            made = build_paper(paper, folder)
            click.echo(f"{made}: {made.stat().st_size / 1e6:.1f} MB")
            return
        build_site(folder)
    except CannotBuildPages as error:
        raise click.ClickException(str(error)) from None
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    click.echo(f"{folder / 'index.html'}: {len(files)} files, {size:.1f} MB")


if __name__ == "__main__":
    docs()
