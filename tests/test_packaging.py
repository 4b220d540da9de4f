# SPDX-License-Identifier: GPL-3.0-or-later
"""What the package installs, and that the tools look at all of it."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import click
import pytest
from hatchling.builders.wheel import WheelBuilder

from scripts import wheels
from scripts.wheels import processor_levels, wheel_tag
from tests.places import ROOT

INSTALLED = ["tsume_rules", "solver", "generator", "db", "tsume"]
"""The top level of the wheel."""
NOT_INSTALLED = ["papers", "scripts", "tests"]
DATA = {
    "generator/collection/published.npz",
    "generator/collection/rating.npz",
    "generator/learned/network.npz",
    "generator/likeness/trees.npz",
    "generator/likeness/values.npz",
    "tsume/book/book.typ",
    "tsume/browser/api/example.html",
    "tsume/browser/api/pending.js",
    "tsume/browser/api/solver.js",
    "tsume/browser/api/tsume-network.d.ts",
    "tsume/browser/api/tsume-worker.d.ts",
    "tsume/browser/api/tsume.d.ts",
    "tsume/browser/api/tsume.js",
    "tsume/browser/api/tsume.mjs",
    "tsume/browser/api/waiting.js",
    "tsume/browser/api/workers.js",
    "tsume/browser/runtime/array_access.js",
    "tsume/browser/runtime/array_functions.js",
    "tsume/browser/runtime/array_memory.js",
    "tsume/browser/runtime/arrays.js",
    "tsume/browser/runtime/attributes.js",
    "tsume/browser/runtime/bits.js",
    "tsume/browser/runtime/calls.js",
    "tsume/browser/runtime/classes.js",
    "tsume/browser/runtime/comparison.js",
    "tsume/browser/runtime/contexts.js",
    "tsume/browser/runtime/conversions.js",
    "tsume/browser/runtime/counter.js",
    "tsume/browser/runtime/dictionaries.js",
    "tsume/browser/runtime/dtypes.js",
    "tsume/browser/runtime/enums.js",
    "tsume/browser/runtime/exceptions.js",
    "tsume/browser/runtime/heaps.js",
    "tsume/browser/runtime/items.js",
    "tsume/browser/runtime/iteration.js",
    "tsume/browser/runtime/iterators.js",
    "tsume/browser/runtime/kernel_memory.js",
    "tsume/browser/runtime/kernels.js",
    "tsume/browser/runtime/keys.js",
    "tsume/browser/runtime/library.js",
    "tsume/browser/runtime/methods.js",
    "tsume/browser/runtime/named_tuples.js",
    "tsume/browser/runtime/network.js",
    "tsume/browser/runtime/numbers.js",
    "tsume/browser/runtime/numpy.js",
    "tsume/browser/runtime/patterns.js",
    "tsume/browser/runtime/random.js",
    "tsume/browser/runtime/reading.js",
    "tsume/browser/runtime/sequences.js",
    "tsume/browser/runtime/sets.js",
    "tsume/browser/runtime/sorting.js",
    "tsume/browser/runtime/string_methods.js",
    "tsume/browser/runtime/texts.js",
    "tsume/browser/runtime/views.js",
    "tsume/browser/worker/worker.js",
    "tsume/site/static/install.js",
    "tsume/site/static/list_order.js",
    "tsume/site/static/service-worker.js",
    "tsume/site/static/site.css",
    "tsume/site/templates/compose_page.html",
    "tsume/site/templates/foot.html",
    "tsume/site/templates/licence.html",
    "tsume/site/templates/links.html",
    "tsume/site/templates/list_page.html",
    "tsume/site/templates/offline.html",
    "tsume/site/templates/policy.html",
    "tsume/site/templates/problem_page.html",
    "tsume/site/templates/site.html",
    "tsume/site/templates/solver_policy.html",
    "tsume/site/templates/training_page.html",
    "tsume/web/static/analysis.js",
    "tsume/web/static/answer.js",
    "tsume/web/static/api.css",
    "tsume/web/static/arrangement.js",
    "tsume/web/static/attempt.js",
    "tsume/web/static/attempts.js",
    "tsume/web/static/board.css",
    "tsume/web/static/board.js",
    "tsume/web/static/board_drawing.js",
    "tsume/web/static/board_input.js",
    "tsume/web/static/board_view.js",
    "tsume/web/static/charts.js",
    "tsume/web/static/clipboard.js",
    "tsume/web/static/collection.js",
    "tsume/web/static/compose.css",
    "tsume/web/static/compose.js",
    "tsume/web/static/compose_address.js",
    "tsume/web/static/compose_drop.js",
    "tsume/web/static/compose_forms.js",
    "tsume/web/static/compose_jobs.js",
    "tsume/web/static/compose_keys.js",
    "tsume/web/static/compose_page.js",
    "tsume/web/static/compose_server.js",
    "tsume/web/static/composition.js",
    "tsume/web/static/day.js",
    "tsume/web/static/day_rotation.js",
    "tsume/web/static/dom.js",
    "tsume/web/static/drafts.js",
    "tsume/web/static/edit_history.js",
    "tsume/web/static/editor.js",
    "tsume/web/static/editor_view.js",
    "tsume/web/static/errors.js",
    "tsume/web/static/explained_turns.js",
    "tsume/web/static/explanation.js",
    "tsume/web/static/export.js",
    "tsume/web/static/find_store.js",
    "tsume/web/static/findings.js",
    "tsume/web/static/glicko2.js",
    "tsume/web/static/glossary.js",
    "tsume/web/static/hints.js",
    "tsume/web/static/icon.svg",
    "tsume/web/static/job_panel.js",
    "tsume/web/static/legality.js",
    "tsume/web/static/line_player.js",
    "tsume/web/static/list.js",
    "tsume/web/static/local_solver.js",
    "tsume/web/static/move_line.js",
    "tsume/web/static/movement.js",
    "tsume/web/static/notation.js",
    "tsume/web/static/page.css",
    "tsume/web/static/persons.js",
    "tsume/web/static/phrases.js",
    "tsume/web/static/piece_drag.js",
    "tsume/web/static/player.js",
    "tsume/web/static/player_view.js",
    "tsume/web/static/position.js",
    "tsume/web/static/position_change.js",
    "tsume/web/static/print.css",
    "tsume/web/static/problem.js",
    "tsume/web/static/problem_saver.js",
    "tsume/web/static/promotion_dialog.js",
    "tsume/web/static/reading.js",
    "tsume/web/static/reading_report.js",
    "tsume/web/static/repetition.js",
    "tsume/web/static/requests.js",
    "tsume/web/static/results.js",
    "tsume/web/static/settings.js",
    "tsume/web/static/settings_view.js",
    "tsume/web/static/sfen.js",
    "tsume/web/static/sheet.js",
    "tsume/web/static/sound.js",
    "tsume/web/static/storage.js",
    "tsume/web/static/trainer_browser.js",
    "tsume/web/static/trainer_server.js",
    "tsume/web/static/training.css",
    "tsume/web/static/training.js",
    "tsume/web/static/training_store.js",
    "tsume/web/static/training_view.js",
    "tsume/web/static/tree_request.js",
    "tsume/web/static/tree_solver.js",
    "tsume/web/static/verdict.js",
    "tsume/web/templates/answer.html",
    "tsume/web/templates/api.html",
    "tsume/web/templates/base.html",
    "tsume/web/templates/compose.html",
    "tsume/web/templates/day.html",
    "tsume/web/templates/list.html",
    "tsume/web/templates/local_solver.html",
    "tsume/web/templates/message.html",
    "tsume/web/templates/problem.html",
    "tsume/web/templates/problems.html",
    "tsume/web/templates/stars.html",
    "tsume/web/templates/training.html",
}
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


def test_a_wheel_for_all_platforms_has_only_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TSUME_KERNELS", raising=False)
    name, content = built_wheel(tmp_path)
    assert name.endswith("-py3-none-any.whl")
    expected = {path.as_posix() for package in INSTALLED for path in files(package)}
    expected |= {f"tsume/collection/data/{path.name}" for path in (ROOT / "collection").iterdir()}
    assert {one for one in content if ".dist-info/" not in one} == expected


def test_a_compiled_wheel_has_the_kernels_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = tmp_path / "kernels"
    kernels.mkdir()
    (kernels / "generic.kernels").write_bytes(b"code")
    _, sources = built_wheel(tmp_path)
    monkeypatch.setenv("TSUME_KERNELS", str(kernels))
    monkeypatch.setenv("TSUME_WHEEL_TAG", wheel_tag())
    name, content = built_wheel(tmp_path)
    assert name.endswith(f"-{wheel_tag()}.whl")
    assert content - sources == {"tsume_rules/compiled/generic.kernels"}
    assert sources <= content


def test_the_checks_look_at_every_package() -> None:
    everything = {*INSTALLED, *NOT_INSTALLED}
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == everything
    assert set(PROJECT["tool"]["mypy"]["packages"]) == everything
    assert set(PROJECT["tool"]["importlinter"]["root_packages"]) == everything


@pytest.mark.parametrize("package", INSTALLED)
def test_a_package_is_typed_and_brings_only_what_it_needs(package: str) -> None:
    others = {path.as_posix() for path in files(package) if path.suffix != ".py"}
    assert others == {f"{package}/py.typed"} | {name for name in DATA if name.startswith(f"{package}/")}


@pytest.mark.parametrize("package", [*INSTALLED, *NOT_INSTALLED])
def test_every_folder_of_modules_is_a_package(package: str) -> None:
    folders = {path.parent for path in files(package) if path.suffix == ".py"}
    assert [folder for folder in folders if not (ROOT / folder / "__init__.py").exists()] == []


@pytest.mark.parametrize("package", INSTALLED)
def test_tests_mirror_the_rooms(package: str) -> None:
    modules = (path for path in files(f"tests/{package}") if path.suffix == ".py")
    folders = {path.parent.relative_to("tests") for path in modules}
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_the_version_has_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"] == {"path": "tsume/__init__.py"}


def test_make_composes_as_the_pages_promise() -> None:
    promised = "tsume generate --moves 5 --count 5 --min-quality 30"
    assert promised in (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert f"{promised} --db tsume.db" in dry_run("run")


def test_make_serve_begins_with_the_collection() -> None:
    """Only without a named store."""
    assert dry_run("serve").rstrip().endswith("tsume serve --browser")


def dry_run(target: str) -> str:
    """The commands of a target, also where the tests themselves are run by make."""
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    command = ["make", "--dry-run", "--no-print-directory", target]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_the_wheel_has_the_collection(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.iterdir()
    with ZipFile(wheel) as file:
        names = {name for name in file.namelist() if name.startswith("tsume/collection/data/")}
    assert names == {f"tsume/collection/data/{path.name}" for path in (ROOT / "collection").iterdir()}


# --- What `scripts/wheels` calls a wheel, and for which processors it compiles ---------------------


@pytest.mark.parametrize(
    ("system", "machine", "expected"),
    [
        ("linux-x86_64", "x86_64", "manylinux_2_17_x86_64"),
        ("linux-aarch64", "aarch64", "manylinux_2_17_aarch64"),
        ("macosx-11.0-arm64", "arm64", "macosx_11_0_arm64"),
        ("macosx-10.13-universal2", "arm64", "macosx_10_13_arm64"),
        ("win-amd64", "AMD64", "win_amd64"),
    ],
)
def test_the_tag_names_python_and_platform(
    system: str, machine: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sysconfig, "get_platform", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel_tag() == f"{python}-{python}{getattr(sys, 'abiflags', '')}-{expected}"


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        ("x86_64", ["x86-64-v2", "x86-64-v3"]),
        ("AMD64", ["x86-64-v2", "x86-64-v3"]),
        ("aarch64", ["generic"]),
        ("arm64", ["generic"]),
    ],
)
def test_the_levels_are_those_of_the_architecture(
    machine: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert processor_levels() == expected


def test_code_that_this_processor_cannot_run_is_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "processor_features", lambda: frozenset({"avx"}))
    with pytest.raises(click.ClickException, match="lacks avx2, bmi"):
        wheels.compile_kernels(tmp_path, "x86-64-v3")
