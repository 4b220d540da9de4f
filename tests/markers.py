# SPDX-License-Identifier: GPL-3.0-or-later
"""What a test needs beside this process, found in its fixtures and code: its markers.

A test is marked if it, one of its fixtures, or a function or class of the tests that these name has what
the marker stands for. A test is marked by hand only if the program under test starts the processes, or
if it compares long at random.
"""

import dis
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

_SERVERS = {"postgresql", "own_server"}
"""Fixtures that start PostgreSQL."""
_PROCESSES = re.compile(r"subprocess|multiprocessing|concurrent\.futures\.process|tsume\.parallel")
"""Modules that start processes."""
_JOBS = re.compile(r"(-j|--jobs=)[2-9]")
"""An option by which a command starts processes."""
_FUZZING = re.compile(r"tests\.fuzzing\b|.*fuzz$")


def markers(item: pytest.Function) -> Iterator[str]:
    """The names of the markers of a test."""
    fixtures = set(item.fixturenames)
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if "browser" in fixtures:
        yield "browser"
    if fixtures & _SERVERS or any(isinstance(one, str) and one == "postgresql" for one in parameters.values()):
        yield "postgresql"
    needed = [one.func for name in fixtures for one in item._fixtureinfo.name2fixturedefs.get(name, ())[-1:]]
    named = frozenset().union(*map(_named, [item.function, *needed]))
    if any(map(_PROCESSES.match, named)):
        yield "process"
    if any(map(_FUZZING.match, {*named, item.module.__name__})):
        yield "fuzz"


@cache
def _named(start: Callable[..., Any]) -> frozenset[str]:
    """Modules that a function names, and those of what it names; those of the tests are followed.

    An option that starts processes counts as ``subprocess``.
    """
    found: set[str] = set()
    seen: set[int] = set()
    waiting: list[object] = [start]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        one = getattr(one, "hypothesis", one)
        one = getattr(getattr(one, "inner_test", one), "__wrapped__", getattr(one, "inner_test", one))
        name = one.__name__ if isinstance(one, ModuleType) else getattr(one, "__module__", None)
        if isinstance(name, str) and one is not start and name != "tests.postgresql":
            found.add(name)
        if not str(name).startswith("tests.") or name == "tests.postgresql":
            continue
        if isinstance(one, type):
            members = vars(one).values()
            waiting += (getattr(member, "__func__", getattr(member, "fget", member)) for member in members)
        elif isinstance(one, FunctionType):
            for code in _codes(one.__code__):
                for step in dis.get_instructions(code):
                    if step.opname == "IMPORT_NAME":
                        found.add(step.argval)
                    elif step.opname == "LOAD_GLOBAL" and step.argval in one.__globals__:
                        waiting.append(one.__globals__[step.argval])
                    elif isinstance(step.argval, str) and _JOBS.match(step.argval):
                        found.add("subprocess")
    return frozenset(found)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
