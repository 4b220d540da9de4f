# SPDX-License-Identifier: GPL-3.0-or-later
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from db.store import Store
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, DROPS, LOOSE, NO_MATE, PROMOTES
from tests.tsume.solver_scripts import AnswerTable
from tsume.cli import cli
from tsume.web.rendered import kif_text
from tsume_rules.moves import parse_move
from tsume_rules.sfen import format_sfen, parse_sfen

JUDGED = (CORRECT, COOKED, DROPS, LOOSE, NO_MATE)
"""What the solver of the site judges."""
KIF = kif_text(parse_sfen(CORRECT).position, tuple(map(parse_move, CORRECT_LINE)))
"""KIF of the first of them."""
ENDLESS = "9/9/9/4k4/9/4G4/4G4/9/9 b - 1"
"""A position whose judgement never ends."""
UNRESOLVED = "7k1/9/7P1/9/9/9/9/9/9 b G 1"
"""A position that is said to be too hard."""
WRONG_LINE = ("3d2c", "9a9b", "1a1a")
"""Moves whose second one cannot be played."""
UNPLAYABLE = KIF.replace("２三金", "９三金")
KINGLESS = KIF.replace("v玉", " ・")
SEVEN_RANKS = "8k/9/9/9/9/9/9 b - 1"
ADDRESSES = (
    f"https://example.org/compose.html?sfen={quote(CORRECT)}",
    f"https://lishogi.org/analysis/standard/{COOKED.replace(' ', '_')}",
)
PASTED = (KIF, UNPLAYABLE, KINGLESS, SEVEN_RANKS, "nothing", *ADDRESSES)
"""Texts that the solver of the site reads."""


def run(*arguments: object) -> None:
    done = CliRunner().invoke(cli, [str(one) for one in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three problems of three moves and one composed of one move; do not write to it."""
    path = tmp_path_factory.mktemp("library") / "library.db"
    for sfen in (CORRECT, DROPS, PROMOTES):
        run("import", sfen, "--db", path)
    run("generate", "-m", 1, "-n", 1, "--seed", 1, "--db", path)
    run("edit", 1, "--title", "<b>&\"'", "--author", "無名", "--db", path)
    return path


@pytest.fixture(scope="session")
def table(library: Path) -> AnswerTable:
    """What the solver of that site knows: its problems, and positions on the page for composing."""
    table = AnswerTable()
    with Store.open(library, create=False) as store:
        for problem in store.find():
            table.add_problem(format_sfen(problem.position))
    for sfen in JUDGED:
        table.add_judgement(sfen)
    table.add_judgement(CORRECT, *CORRECT_LINE)
    table.add_explanation(CORRECT)
    table.add_explanation(COOKED)
    table.add_explanation(DROPS, turns=1)
    table.add_endless("explain", LOOSE)
    table.add_judgement(CORRECT, *WRONG_LINE)
    table.add_judgement(CORRECT, "3c2c")
    table.add_endless("judgement", ENDLESS)
    table.add_unresolved(UNRESOLVED)
    table.add_texts(CORRECT, CORRECT_LINE, *PASTED)
    table.add_texts(ENDLESS, [])
    return table


@pytest.fixture(scope="session")
def both(library: Path, table: AnswerTable, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in both languages of that store; do not write to it."""
    folder = tmp_path_factory.mktemp("sites") / "both"
    make_site(table, library, folder, "--lang", "both")
    return folder


def make_site(table: AnswerTable, library: Path, folder: Path, *options: object) -> None:
    """Make a site whose solver has these answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tsume.commands.web.solver_scripts", table.scripts)
        run("site", "--db", library, "-o", folder, "-j", 1, *options)
