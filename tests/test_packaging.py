# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package installs, and that the tools look at all of it."""

import os
import platform
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from compiler.build import platform_here
from tests.places import ROOT

INSTALLED = ["tsume_rules", "solver", "generator", "db", "tsume"]
"""The top level of the wheel."""
NOT_INSTALLED = ["compiler", "browser", "papers", "scripts", "tests"]
_DATA = {
    ("generator/collection", "npz"): "published rating",
    ("generator/learned", "npz"): "network",
    ("generator/likeness", "npz"): "trees values",
    ("tsume/book", "typ"): "book",
    ("tsume/diagrams", "json"): "faces",
    ("tsume/site/static", "css"): "site",
    ("tsume/site/static", "js"): "install later_trainer list_order service-worker",
    ("tsume/site/templates", "html"): """
        compose_page foot games_page licence links list_page offline policy problem_page site
        solver_policy training_page
    """,
    ("tsume/web/static", "css"): "api board compose list page print training",
    ("tsume/web/static", "js"): """
        analysis answer arrangement attempt attempts board board_drawing board_input board_view charts
        choices classes clipboard collection compose compose_address compose_drop compose_forms compose_jobs
        compose_keys compose_page compose_server composition day day_rotation dom drafts edit_history
        editor editor_view errors exercises explained_turns explanation export find_store findings games
        glicko2 glossary hints history job_panel legality line_player list local_solver move_line movement notation
        persons phrases piece_drag player player_view position position_change problem problem_saver
        promotion_dialog reading reading_report repetition requests results settings settings_view sfen
        sheet sound storage trainer_browser trainer_server training training_store training_view
        tree_request tree_solver verdict
    """,
    ("tsume/web/static", "svg"): "icon",
    ("tsume/web/templates", "html"): """
        answer api base classes compose front games list local_solver message player_scripts problem problems stars
        training
    """,
}
DATA = {f"{folder}/{stem}.{end}" for (folder, end), stems in _DATA.items() for stem in stems.split()}
"""Files that the program reads while it runs."""
NOT_IN_GIT = {"__pycache__", "node_modules", "built"}
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def files(package: str) -> list[Path]:
    """The files of a package, relative to the repository."""
    return [
        path.relative_to(ROOT)
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not NOT_IN_GIT & set(path.parts)
    ]


def test_the_wheel_has_the_packages_and_nothing_else() -> None:
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"] == {
        "only-include": [*INSTALLED, "collection"], "sources": {"collection": "tsume/collection/data"},
        "hooks": {"custom": {}},
    }  # fmt: skip


def built_wheel(folder: Path) -> tuple[str, set[str]]:
    """The name of a wheel of this tree, and of what it contains."""
    path = Path(next(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])))
    return path.name, {name for name in ZipFile(path).namelist() if "/built/" not in name}


def test_a_wheel_has_the_sources_and_the_kernels_of_its_platform(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    for name in ("calls.py", "kernels.dll"):
        (kernels / name).write_bytes(b"code")
    monkeypatch.setenv("TSUME_KERNELS", str(kernels))
    monkeypatch.setenv("TSUME_PLATFORM", "win_amd64")
    name, content = built_wheel(tmp_path)
    assert name.endswith("-py3-none-win_amd64.whl")
    expected = {path.as_posix() for package in INSTALLED for path in files(package)}
    expected |= {f"tsume/collection/data/{path.name}" for path in (ROOT / "collection").iterdir()}
    expected |= {f"tsume_rules/compiled/{one}" for one in ("calls.py", "kernels.dll")}
    assert {one for one in content if ".dist-info/" not in one} == expected


def test_the_checks_look_at_every_package() -> None:
    everything = {*INSTALLED, *NOT_INSTALLED}
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == everything
    assert set(PROJECT["tool"]["mypy"]["packages"]) == everything
    assert set(PROJECT["tool"]["importlinter"]["root_packages"]) == everything


@pytest.mark.parametrize("package", INSTALLED)
def test_a_package_is_typed_and_brings_only_what_it_needs(package: str) -> None:
    others = {path.as_posix() for path in files(package) if path.suffix != ".py"}
    assert others == {f"{package}/py.typed"} | {name for name in DATA if name.startswith(f"{package}/")}


def test_every_folder_of_modules_is_a_package() -> None:
    modules = [path for package in (*INSTALLED, *NOT_INSTALLED) for path in files(package)]
    folders = {path.parent for path in modules if path.suffix == ".py"}
    assert [folder for folder in folders if not (ROOT / folder / "__init__.py").exists()] == []


def test_tests_mirror_the_packages() -> None:
    modules = [path for package in INSTALLED for path in files(f"tests/{package}") if path.suffix == ".py"]
    folders = {path.parent.relative_to("tests") for path in modules}
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_the_version_has_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"] == {"path": "tsume/__init__.py"}


def test_make_does_as_the_pages_promise() -> None:
    promised = "tsume generate --moves 5 --count 5 --min-quality 30"
    assert promised in (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert f"{promised} --db tsume.db" in dry_run("run")
    # Only without a named store.
    assert dry_run("serve").rstrip().endswith("tsume serve --browser")


def dry_run(target: str) -> str:
    """The commands of a target, also where the tests themselves are run by make."""
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    command = ["make", "--dry-run", "--no-print-directory", target]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


# --- The wheels of `scripts/wheels` ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "machine", "expected"),
    [
        ("linux", "x86_64", "manylinux_2_17_x86_64"),
        ("linux", "aarch64", "manylinux_2_17_aarch64"),
        ("darwin", "arm64", "macosx_11_0_arm64"),
        ("darwin", "x86_64", "macosx_11_0_x86_64"),
        ("win32", "AMD64", "win_amd64"),
    ],
)
def test_each_machine_has_a_platform(monkeypatch: pytest.MonkeyPatch, system: str, machine: str, expected: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert platform_here() == expected
