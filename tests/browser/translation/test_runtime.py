# SPDX-License-Identifier: GPL-3.0-or-later
"""The runtime has what translated code may call, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from browser import files, translation
from browser.files import runtime_source
from browser.translation.context import (
    BUILTINS,
    EXCEPTIONS,
    EXTERNAL_CLASSES,
    EXTERNALS,
    ITERATING,
    KEYWORD_OPTIONS,
    MEMBERS,
    PARAMETERS,
    RUNTIME_NAMES,
    local_name,
)

SOURCE = runtime_source()
DEFINED = re.findall(r"^(?:function\*?|class|const|let) (\$\w+)", SOURCE, re.MULTILINE)
CALLED_BY_NAME = {f"${name}" for name in EXCEPTIONS}
ERASED = "$cast"
"""The type of a cast is nothing at run time."""


def translator() -> str:
    """The sources of what writes calls of the runtime."""
    paths = [Path(files.__file__), *Path(translation.__path__[0]).glob("*.py")]
    return "\n".join(file.read_text(encoding="utf-8") for file in paths)


def test_no_name_is_defined_twice() -> None:
    assert len(DEFINED) == len(set(DEFINED))


def test_every_function_can_be_called() -> None:
    used = re.findall(r"\$\w+", SOURCE + translator())
    kinds = {f"${kind}_fields" for kind in ("dataclass", "namedtuple")}  # the translator puts these together
    assert [name for name in DEFINED if used.count(name) < 2 and name not in CALLED_BY_NAME | kinds] == []


def test_the_tables_name_functions_of_the_runtime() -> None:
    names = [*BUILTINS.values(), *EXTERNALS.values(), *EXTERNAL_CLASSES, *ITERATING, *KEYWORD_OPTIONS]
    wanted = {name.partition(".")[0] for name in (*names, *PARAMETERS)} | CALLED_BY_NAME
    assert wanted - set(DEFINED) - set(RUNTIME_NAMES) - {ERASED} == set()


@pytest.mark.parametrize("module", MEMBERS)
def test_the_modules_have_their_members(module: str) -> None:
    name = re.escape(EXTERNALS[module])
    found = re.search(rf"^const {name} = {{.*?}};$", SOURCE, re.MULTILINE | re.DOTALL)
    text = found[0] if found else "\n".join(re.findall(rf"^{name}\.\w+", SOURCE, re.MULTILINE))
    assert [one for one in MEMBERS[module] if not re.search(rf"\b{one}\b", text)] == []


def test_local_names_hide_nothing_that_translated_code_calls() -> None:
    assert all(local_name(name) != name for name in RUNTIME_NAMES)
    assert all(name.startswith("$") or name in RUNTIME_NAMES for name in (*BUILTINS.values(), *EXTERNALS.values()))
