# SPDX-License-Identifier: GPL-3.0-or-later
"""What has no counterpart in JavaScript is refused, with its place."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from browser import files, translation
from browser.files import runtime_source
from browser.translation import Program
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
    constant,
    local_name,
)
from browser.translation.modules import Global, Untranslatable
from tests.javascript.node import run_node

HEAD = """\
from __future__ import annotations
from collections import Counter, deque
from contextlib import contextmanager
from dataclasses import dataclass, field, InitVar
from enum import Enum
from functools import cache, lru_cache, partial
import json, math, re
"""

FUNCTIONS = {
    "a list of an unknown kind that changes": "def run(xs):\n    xs += [1]\n    return xs",
    "a mutable default": "def run(a=[]): return a",
    "a default of a call": "def run(a=len('x')): return a",
    "else of for": "def run():\n for x in []: pass\n else: return 1",
    "else of while": "def run():\n while 0: pass\n else: return 1",
    "global": "def run():\n global y\n y = 1",
    "del of a name": "def run(x):\n del x",
    "a class inside": "def run():\n class A: pass",
    "an unknown built-in": "def run(): return print(1)",
    "async": "def run():\n async def f(): pass",
    "bytes": "def run(): return b'x'",
    "@": "def run(a, b): return a @ b",
    "raise of an outer exception": "def run():\n raise",
    "raise in a function of a handler": ("def run():\n try: pass\n except ValueError:\n  def f():\n   raise\n  f()"),
    "groups of exceptions": "def run():\n try: pass\n except* ValueError: pass",
    "float alone in isinstance": "def run(a): return isinstance(a, float)",
    "tuple alone in isinstance": "def run(a): return isinstance(a, tuple)",
    "list alone in isinstance": "def run(a): return isinstance(a, (list, str))",
    "a pattern of tuples": "def run(a):\n match a:\n  case tuple(): return 1",
    "a pattern of a sequence": "def run(a):\n match a:\n  case [1]: return 1",
    "names in alternatives": "def run(a):\n match a:\n  case Exception(args=x) | TypeError(args=x): return x",
    ":= in a lambda": "def run(): return lambda: (x := 1)",
    ":= in an assertion": "def run():\n assert (x := 1)\n return x",
    "hash": "def run(a): return hash(a)",
    "keywords of a method": "def run(a): return a.splitlines(keepends=True)",
    "a missing method": "def run(a): return a.rsplit(',')",
    "a method of generators": "def run(a): return a.send(1)",
    "a missing function": "def run(a): return math.gcd(a, 2)",
    "an option of json": "def run(a): return json.dumps(a, indent=2)",
    "flags": "def run(): return re.compile('a', re.IGNORECASE)",
    "a name of a function": "def run(): return run.__name__",
    "a dictionary of attributes": "def run(a): return a.__dict__",
    "ascii": "def run(a): return f'{a!a}'",
    "* and keywords": "def run(*a):\n return run2(*a, b=1)\ndef run2(a, b): return a",
    "an unknown keyword": "def run(): return run2(c=1)\ndef run2(a=1): return a",
    "an argument twice": "def run(): return run2(1, a=1)\ndef run2(a=1): return a",
    "the order of keywords": "def run(f): return run2(x=f(1), a=f(2))\ndef run2(a, **k): return a",
    "a decorator with arguments": "def run(): return f()\n@partial(lambda g, h: h, 1)\ndef f(): return 1",
    "a cached generator": "def run(): return f()\n@cache\ndef f(): yield 1",
    "names after * with others": "def run(*a, b=1): return b",
    "a list that *= changes": "def run():\n a = [1]\n a *= 2\n return a",
    "an attribute of a class": "def run():\n A.x = 1\nclass A: x = 0",
    "an attribute of cls": "def run(): A.f()\nclass A:\n x = 0\n @classmethod\n def f(cls): cls.x = 1",
    "a field of the class itself": "def run(): return A.x\n@dataclass\nclass A:\n x: int = 0",
    "a name imported twice": (
        "def run():\n if 1:\n  from math import log as f\n else:\n  from math import exp as f\n return f(1)"
    ),
}
CLASSES = {
    "a base that is built in": "class A(dict): pass",
    "two bases": "class B: pass\nclass C: pass\nclass A(B, C): pass",
    "a metaclass": "class A(metaclass=type): pass",
    "a setter": "class A:\n @property\n def x(self): return 1\n @x.setter\n def x(self, v): pass",
    "a cached method": "class A:\n @cache\n def x(self): return 1",
    "__new__": "class A:\n def __new__(cls): return 1",
    "__getattr__": "class A:\n def __getattr__(self, name): return 1",
    "__iadd__": "class A:\n def __iadd__(self, other): return self",
    "__next__": "class A:\n def __next__(self): return 1",
    "__hash__": "class A:\n def __hash__(self): return 1",
    "__index__": "class A:\n def __index__(self): return 1",
    "a statement": "class A:\n for x in (1, 2): pass",
    "a call": "class A:\n print(1)",
    "a name of the class": "class A:\n x = 1\n y = x + 1",
    "a default of the class": "class A:\n x = 1\n def f(self, y=x): return y",
    "a private name": "class A:\n def __init__(self): self.__x = 1",
    "constructor": "class A:\n def constructor(self): return 1",
    "prototype": "@dataclass\nclass A:\n prototype: int = 1",
    "a static name": "class A:\n @staticmethod\n def name(): return 1",
    "a class decorator": "def registered(c): return c\n@registered\nclass A: pass",
    "an option of data classes": "@dataclass(unsafe_hash=True)\nclass A:\n x: int",
    "an option of fields": "@dataclass\nclass A:\n x: int = field(metadata={})",
    "InitVar": "@dataclass\nclass A:\n x: InitVar[int] = 1",
    "a default that is evaluated once": "@dataclass\nclass A:\n x: object = Counter()",
    "an enumeration with a constructor": "class A(Enum):\n X = 1\n def __init__(self, v): self.v = v",
    "a method twice": "class A:\n def f(self): return 1\n def f(self): return 2",
}
MODULES = {
    "a call at the top level": "def run(): return X\nX = []\nX.append(1)",
    "if at the top level": "def run(): return X\nX = 1\nif X: Y = 2",
    "a name twice": "def run(): return X\nX = 1\nX = 2",
    "two targets": "def run(): return X\nX = Y = 1",
    "an attribute": "def run(): return f\ndef f(): pass\nf.x: int = 1",
}
AT_RUN_TIME = {
    "a list that += changes": "def run():\n a, b = [1], 2\n c, d = a, [3]\n c += d",
    "a set that |= changes": "def run():\n c = f()\n c |= {1}\ndef f(): return {2}",
    "the type of a number": "def run(): return type(1)",
    "the text of a function": "def run(): return str(run)",
    "the text of a counter": "def run(): return str(Counter())",
    "a flag of a pattern": "def run(): return re.compile('(?i)a')",
    "a group in a replacement": "def run(): return re.sub('(a)', r'\\1', 'a')",
    "a complex number": "def run(): return (-8.5) ** 0.5",
    "a precision without a type": "def run(): return f'{1.5:.3}'",
    "an attribute in a format": "def run(): return '{a.b}'.format(a=1)",
    "a key that changes": "def run(): return {deque()}",
}


def translated(folder: Path, text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The script of a program of one module."""
    (folder / "tests").mkdir()
    (folder / "tests" / "refused.py").write_text(HEAD + text + "\n", encoding="utf-8")
    monkeypatch.setattr("browser.translation.modules.ROOT", folder)
    monkeypatch.syspath_prepend(folder)
    program = Program([Global("tests.refused", name)])
    return f"{program.script()}{program.js_name(Global('tests.refused', name))}();"


@pytest.mark.parametrize("text", CLASSES.values(), ids=CLASSES.keys())
def test_a_class_is_refused(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Untranslatable, match=r"tests\.refused\.A"):
        translated(tmp_path, text, "A", monkeypatch)


@pytest.mark.parametrize("text", [*FUNCTIONS.values(), *MODULES.values()], ids=[*FUNCTIONS, *MODULES])
def test_a_function_or_a_module_is_refused(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Untranslatable, match=r"tests\.refused"):
        translated(tmp_path, text, "run", monkeypatch)


@pytest.mark.parametrize("text", AT_RUN_TIME.values(), ids=AT_RUN_TIME.keys())
def test_what_is_known_only_at_run_time_is_refused_then(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_node("-", text=f"{runtime_source()}\n{translated(tmp_path, text, 'run', monkeypatch)}")
    assert done.returncode != 0
    assert "NotImplementedError" in done.stderr or "TypeError" in done.stderr


# --- Values that become part of a program -------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (np.array([[1, -2], [3, 4]], dtype=np.int8), "numpy.array([[1,-2],[3,4]], numpy.int8)"),
        (np.array([2**60], dtype=np.uint64), f"numpy.array([{2**60}n], numpy.uint64)"),
        (np.array([0.5, -1.25]), "numpy.widened([0.5,-1.25], 10)"),
        (np.array([1.23, 65504], dtype=np.float16).astype(np.float64), "numpy.widened([1.23,6.55e+04], 10)"),
        (np.array([1.23, 1e9], dtype=np.float32).astype(np.float64), "numpy.widened([1.23,1e+09], 23)"),
        (np.array([0.1, 1e300]), "numpy.array([0.1,1e+300], numpy.float64)"),
    ],
)
def test_tables_are_exact_and_short(table: np.ndarray, text: str) -> None:
    assert constant(table) == text


# --- The runtime has what translated code may call, and nothing else ----------------------------


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
