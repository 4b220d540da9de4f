# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation as web pages with Sphinx, and papers as PDF. Run through `scripts/docs`."""

from __future__ import annotations

import shutil
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

import click

from scripts.documentation.pages import LANGUAGES, CannotBuildPages, Staging
from scripts.documentation.paper import PAPERS, build_paper
from tsume import __version__

HERE = Path(__file__).parent / "documentation"
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
            Staging(source, language).write()
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


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--paper", type=click.Choice(PAPERS), help="Write only this page of docs/papers, as PDF.")
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
