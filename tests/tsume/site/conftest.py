from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.tsume.problems import CORRECT, DROPS, PROMOTES
from tsume.cli import cli


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
def both(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site in both languages of that store; do not write to it."""
    folder = tmp_path_factory.mktemp("sites") / "both"
    run("site", "--db", library, "-o", folder, "--lang", "both", "-j", 1)
    return folder
