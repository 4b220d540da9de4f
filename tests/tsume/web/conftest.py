from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from db.store import Store
from tests.tsume.problems import CORRECT
from tsume.cli import cli
from tsume.growing import Grower

DROPS = "6lBl/5g1k1/9/7S1/9/9/9/9/9 b GN2rb2g3s3n2l18p 1"
"""Three moves, two of them drops; a silver that may promote gives wrong checks."""
PROMOTES = "1sk6/3L5/1P1G5/1b7/6B2/9/9/9/9 b S2r3g2s4n3l17p 1"


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with three problems of three moves; do not write to it."""
    path = tmp_path_factory.mktemp("served") / "served.db"
    for sfen in (CORRECT, DROPS, PROMOTES):
        assert CliRunner().invoke(cli, ["import", sfen, "--db", str(path)]).exit_code == 0
    assert CliRunner().invoke(cli, ["edit", "1", "--title", "<b>&", "--db", str(path)]).exit_code == 0
    return path


@pytest.fixture(scope="session")
def opened(served: Path) -> Iterator[Store]:
    with Store.open(served, create=False) as store:
        yield store


@pytest.fixture(scope="session")
def grower() -> Grower:
    return Grower(60.0, 72, most_turns=200, proof_nodes=50_000)
