# SPDX-License-Identifier: GPL-3.0-or-later
"""The workflows, hooks and forms of the repository: they parse, and what they name exists."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.places import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
OTHERS = [
    *sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")),
    ROOT / ".github" / "dependabot.yml",
    ROOT / ".github" / "zizmor.yml",
    ROOT / ".pre-commit-config.yaml",
    ROOT / "CITATION.cff",
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
_FILE = re.compile(r"(?<![\w./-])(?:scripts|tests|docs|\.ci)/[\w./-]*\w|(?<![\w./-])make \w+")

each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = read(path)["jobs"]
    return found


def commands(path: Path) -> Iterator[str]:
    """What the steps of a workflow run."""
    for job in jobs(path).values():
        yield from (step["run"] for step in job.get("steps", []) if "run" in step)
        yield from (str(one.get("tests", "")) for one in matrix(job).get("include", []))


def matrix(job: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = job.get("strategy", {}).get("matrix", {})
    return found


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.name)
def test_every_other_file_parses(path: Path) -> None:
    assert isinstance(read(path), dict)


@each_workflow
def test_files_that_a_workflow_runs_are_there(path: Path) -> None:
    named = {name for command in commands(path) for name in _FILE.findall(command)}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {name for name in named if name.startswith("make ")}
    assert [name for name in targets if f"\n{name.split()[1]}:" not in makefile] == []
    assert sorted(name for name in named - targets if not (ROOT / name).exists()) == []


@each_workflow
def test_a_workflow_may_only_read_has_limits_pinned_actions_and_keeps_no_credentials(path: Path) -> None:
    assert read(path)["permissions"] == {"contents": "read"}, "a job may say more"
    assert "concurrency" in read(path)
    for name, job in jobs(path).items():
        if "uses" in job:  # another workflow of this repository has its own limits
            assert (ROOT / job["uses"]).exists(), name
            continue
        assert job["timeout-minutes"] <= 120, name
        used = [step for step in job["steps"] if "uses" in step]
        pinned = re.compile(r"@(v\d+|release/v\d+|[0-9a-f]{40})$")
        assert [step["uses"] for step in used if not pinned.search(step["uses"])] == []
        checkouts = [step for step in used if step["uses"].startswith("actions/checkout@")]
        assert all(step["with"]["persist-credentials"] is False for step in checkouts), name


def classified() -> list[str]:
    """The versions of Python that pyproject.toml names."""
    prefix = "Programming Language :: Python :: 3."
    return [f"3.{name.removeprefix(prefix)}" for name in PROJECT["classifiers"] if name.startswith(prefix)]


def test_versions_of_python_are_those_of_the_classifiers() -> None:
    assert PROJECT["requires-python"] == f">={classified()[0]}"
    assert matrix(jobs(ROOT / ".github/workflows/tests.yml")["linux"])["python"] == classified()
    assert matrix(jobs(ROOT / ".github/workflows/wheels.yml")["try"])["python"] == classified()


def test_hooks_run_files_that_are_there() -> None:
    hooks = [hook for one in read(ROOT / ".pre-commit-config.yaml")["repos"] for hook in one["hooks"]]
    named = {hook["entry"].split()[0] for hook in hooks if hook["language"] == "system"}
    assert [name for name in sorted(named) if not name.startswith(".venv/") and not (ROOT / name).exists()] == []


def test_addresses_have_one_place() -> None:
    """Other files repeat what pyproject.toml says."""
    urls = PROJECT["urls"]
    citation = read(ROOT / "CITATION.cff")
    assert (citation["repository-code"], citation["url"]) == (urls["Repository"], urls["Documentation"])
    for path in (*WORKFLOWS, *OTHERS, ROOT / "SECURITY.md"):
        named = re.findall(r"https://(?:github\.com/tsume-shogi|tsume-shogi\.github)\S*", path.read_text("utf-8"))
        assert all(one.startswith((urls["Repository"], urls["Documentation"])) for one in named), path
