# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays and records in JavaScript behave as NumPy's."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from browser.files import runtime_source
from compiler.interface import described_record
from tests.javascript.node import answers

_SCRIPT = str(Path(__file__).with_name("operations.mjs"))
PAIR = np.dtype([("key", np.uint64), ("cells", np.int8, (2, 3)), ("hand", np.int16)], align=True)
_RECORDS = "recordType('PAIR')"
_GRID = "np.array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], {})"

OPERATIONS = {
    "zeros": ("np.zeros(3, np.int64)", "np.zeros(3, np.int64)"),
    "zeros of two dimensions": ("np.zeros((2, 3), np.int8)", "np.zeros([2, 3], np.int8)"),
    "full": ("np.full((2, 2), -1, np.int8)", "np.full([2, 2], -1, np.int8)"),
    "arange": ("np.arange(2, 11, 3)", "np.arange(2, 11, 3)"),
    "half precision": (
        "np.array([[1.23, -6e-8], [0.9995, 65504]], np.float16).astype(np.float64)",
        "np.widened([[1.23, -6e-8], [0.9995, 65500]], 10)",
    ),
    "single precision": ("np.array([0.1, 3.4e38], np.float32).astype(np.float64)", "np.widened([0.1, 3.4e38], 23)"),
    "nested lists": (_GRID.format("np.int16"), _GRID.format("np.int16")),
    "no values": ("np.array([], np.float64)", "np.array([], np.float64)"),
    "element": ("np.arange(5)[3]", "np.arange(5).__getitem__(3)"),
    "negative index": ("np.arange(5)[-2]", "np.arange(5).__getitem__(-2)"),
    "slice": ("np.arange(9)[2:7]", "np.arange(9).__getitem__(new Slice(2, 7))"),
    "slice without an end": ("np.arange(9)[4:]", "np.arange(9).__getitem__(new Slice(4))"),
    "slice from behind": ("np.arange(9)[-3:]", "np.arange(9).__getitem__(new Slice(-3))"),
    "slice beyond the end": ("np.arange(4)[2:99]", "np.arange(4).__getitem__(new Slice(2, 99))"),
    "empty slice": ("np.arange(4)[3:1]", "np.arange(4).__getitem__(new Slice(3, 1))"),
    "steps": ("np.arange(9)[1:8:3]", "np.arange(9).__getitem__(new Slice(1, 8, 3))"),
    "reversed": ("np.arange(5)[::-1]", "np.arange(5).__getitem__(new Slice(null, null, -1))"),
    "row": (f"{_GRID.format('np.int8')}[1]", f"{_GRID.format('np.int8')}.__getitem__(1)"),
    "place": (f"{_GRID.format('np.int8')}[2, 1]", f"{_GRID.format('np.int8')}.__getitem__([2, 1])"),
    "column": (f"{_GRID.format('np.int8')}[:, 2]", f"{_GRID.format('np.int8')}.__getitem__([new Slice(), 2])"),
    "block": (
        f"{_GRID.format('np.int64')}[1:, :2]",
        f"{_GRID.format('np.int64')}.__getitem__([new Slice(1), new Slice(null, 2)])",
    ),
    "rows of a block as a list": (
        f"{_GRID.format('np.int64')}[1:3].tolist()",
        f"{_GRID.format('np.int64')}.__getitem__(new Slice(1, 3)).tolist()",
    ),
    "integers as an index": (
        "np.arange(10, 20)[np.array([3, 0, -1])]",
        "np.arange(10, 20).__getitem__(np.array([3, 0, -1]))",
    ),
    "booleans as an index": ("np.arange(6)[np.arange(6) > 3]", "np.arange(6).__getitem__(np.arange(6).__gt__(3))"),
    "reshape": ("np.arange(6).reshape(2, -1)", "np.arange(6).reshape(2, -1)"),
    "flat": (f"{_GRID.format('np.int8')}.reshape(-1)", f"{_GRID.format('np.int8')}.reshape(-1)"),
    "sum": (f"{_GRID.format('np.int64')}.sum()", f"{_GRID.format('np.int64')}.sum()"),
    "sizes": (
        "(lambda a: [a.size, a.itemsize, a.nbytes, len(a), a.ndim])(np.zeros((3, 5), np.int16))",
        "const a = np.zeros([3, 5], np.int16); return [a.size, a.itemsize, a.nbytes, a.__len__(), a.ndim]",
    ),
    "astype": ("np.array([1, 2, 300]).astype(np.int32)", "np.array([1, 2, 300]).astype(np.int32)"),
    "large integers": (
        "np.array([2**53 - 1, 2**53, -2**53, -2**63, 2**63 - 1], np.int64)",
        "np.array([2**53 - 1, 2n**53n, -(2n**53n), -(2n**63n), 2n**63n - 1n], np.int64)",
    ),
    "unsigned integers": (
        "np.array([0, 2**53, 2**64 - 1], np.uint64)",
        "np.array([0, 2n**53n, 2n**64n - 1n], np.uint64)",
    ),
    "negative numbers as unsigned": ("np.array([2**64 - 5], np.uint64)[0]", "np.array([-5], np.uint64).__getitem__(0)"),
    "negative": ("np.array([-1, -5000000000], np.int64)", "np.array([-1, -5000000000], np.int64)"),
    "real numbers": ("np.array([0.5, -1.25], np.float64)", "np.array([0.5, -1.25], np.float64)"),
    "conversion": ("np.uint64(2**63 + 3)", "np.uint64(2n**63n + 3n)"),
    "where": (
        "np.where((k := np.arange(4, 10, dtype=np.int8)) > 7, k - 8, k)",
        "const k = np.arange(4, 10, 1, np.int8); return np.where(k.__gt__(7), k.__sub__(8), k)",
    ),
    "bincount": ("np.bincount(np.array([1, 1, 3]), minlength=6)", "np.bincount(np.array([1, 1, 3]), 6)"),
    "arithmetic": (
        "np.arange(3) + np.array([1, -5, 2**60]) - 7",
        "np.arange(3).__add__(np.array([1, -5, 2n**60n])).__sub__(7)",
    ),
    "from the right": ("10 - np.arange(3)", "np.arange(3).__rsub__(10)"),
    "bits": ("np.array([255, 2**40 + 3, -1]) & (2**40 + 15)", "np.array([255, 2**40 + 3, -1]).__and__(2**40 + 15)"),
    "comparison": ("np.arange(4) == 2", "np.arange(4).__eq__(2)"),
    "absolute values": ("np.abs(np.array([-1, 0, 5]))", "np.abs(np.array([-1, 0, 5]))"),
    "running sums": ("np.cumsum([0, 3, 4])", "np.cumsum([0, 3, 4])"),
    "union": ("np.union1d(np.array([7, 3]), (3, 1))", "np.union1d(np.array([7, 3]), [3, 1])"),
    "fractions of integers": ("np.array([1, 4]) * 0.5", "np.array([1, 4]).__mul__(0.5)"),
    "maximum": ("np.maximum(np.array([1, 5]), 3)", "np.maximum(np.array([1, 5]), 3)"),
    "interpolation": (
        "[float(np.interp(x, [1, 3, 3, 7], [10, 20, 30, 50])) for x in (0, 1, 2, 3, 6, 9)]",
        "[0, 1, 2, 3, 6, 9].map((x) => np.interp(x, [1, 3, 3, 7], [10, 20, 30, 50]))",
    ),
    "index outside": ("np.arange(3)[3]", "np.arange(3).__getitem__(3)"),
    "negative index outside": ("np.arange(3)[-4]", "np.arange(3).__getitem__(-4)"),
    "too many indices": ("np.arange(3)[0, 0]", "np.arange(3).__getitem__([0, 0])"),
    "new records": ("np.zeros(2, PAIR)", f"np.zeros(2, {_RECORDS})"),
}
"""By name: an expression in Python, and the same in JavaScript (or statements with a return)."""

CHANGES = {
    "element": ("a = np.arange(4); a[2] = -9", "const a = np.arange(4); a.__setitem__(2, -9); return a;"),
    "slice, one value": (
        "a = np.arange(6); a[1:4] = 7",
        "const a = np.arange(6); a.__setitem__(new Slice(1, 4), 7); return a;",
    ),
    "slice, several values": (
        "a = np.arange(6); a[1:4] = [7, 8, 9]",
        "const a = np.arange(6); a.__setitem__(new Slice(1, 4), [7, 8, 9]); return a;",
    ),
    "all": ("a = np.arange(3); a[:] = 1", "const a = np.arange(3); a.__setitem__(new Slice(), 1); return a;"),
    "row": (
        "a = np.zeros((2, 3), np.int8); a[1] = (1, 2, 3)",
        "const a = np.zeros([2, 3], np.int8); a.__setitem__(1, [1, 2, 3]); return a;",
    ),
    "place": (
        "a = np.zeros((2, 3), np.int8); a[1, 2] = 5",
        "const a = np.zeros([2, 3], np.int8); a.__setitem__([1, 2], 5); return a;",
    ),
    "integers as an index": (
        "a = np.zeros(5, np.int64); a[np.array([0, 3])] = np.array([4, 5])",
        "const a = np.zeros(5, np.int64); a.__setitem__(np.array([0, 3]), np.array([4, 5])); return a;",
    ),
    "a view changes what it views": (
        "a = np.arange(6); b = a[2:5]; b[0] = 50",
        "const a = np.arange(6); const b = a.__getitem__(new Slice(2, 5)); b.__setitem__(0, 50); return a;",
    ),
    "a copy does not": (
        "a = np.arange(6); b = a[2:5].copy(); b[0] = 50",
        "const a = np.arange(6); const b = a.__getitem__(new Slice(2, 5)).copy();b.__setitem__(0, 50); return a;",
    ),
    "fields": (
        "a = np.zeros(2, PAIR).view(np.recarray); r = a[1]; r.key = 2**64 - 1; r.hand = -3;r.cells[1, 2] = 9",
        f"const a = np.zeros(2, {_RECORDS}).view(np.recarray); const r = a.__getitem__(1);"
        "r.key = 2n**64n - 1n; r.hand = -3; r.cells.__setitem__([1, 2], 9); return a;",
    ),
    "columns": (
        "a = np.zeros(3, PAIR).view(np.recarray); a.hand[:] = 4; a['key'][1:] = 6; a = a.hand + a['hand']",
        f"const a = np.zeros(3, {_RECORDS}); a.hand.__setitem__(new Slice(), 4);"
        "a.__getitem__('key').__setitem__(new Slice(1), 6); return a.hand.__add__(a.__getitem__('hand'));",
    ),
    "a whole record": (
        "a = np.zeros(3, PAIR).view(np.recarray); a[0].hand = 8; a[2] = a[0]; a[0].hand = 9",
        f"const a = np.zeros(3, {_RECORDS}); a.__getitem__(0).hand = 8; a.__setitem__(2, a.__getitem__(0));"
        "a.__getitem__(0).hand = 9; return a;",
    ),
    "a record's copy": (
        "a = np.zeros(1, PAIR).view(np.recarray); b = a[0].copy(); b.hand = 8",
        f"const a = np.zeros(1, {_RECORDS}); const b = a.__getitem__(0).copy(); b.hand = 8; return a;",
    ),
    "a field of several elements": (
        "a = np.zeros(1, PAIR).view(np.recarray); a[0].cells = [[1, 2, 3], [4, 5, 6]]",
        f"const a = np.zeros(1, {_RECORDS}); a.__getitem__(0).cells = [[1, 2, 3], [4, 5, 6]]; return a;",
    ),
}
"""Likewise, as statements; what is compared is the array ``a``."""


def _in_javascript(expressions: list[str], folder: Path) -> list[Any]:
    script = folder / "runtime.js"
    script.write_text(runtime_source(), encoding="utf-8")
    setup = {"runtime": str(script), "records": {"tests.PAIR": described_record(PAIR)}}
    return answers(_SCRIPT, [setup, *({"expression": one} for one in expressions)])


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    expressions = {f"value of {name}": f"return {theirs};" for name, (_, theirs) in OPERATIONS.items()}
    expressions["value of sizes"] = OPERATIONS["sizes"][1]
    expressions["value of where"] = OPERATIONS["where"][1]
    expressions |= {f"change of {name}": theirs for name, (_, theirs) in CHANGES.items()}
    values = _in_javascript(list(expressions.values()), tmp_path_factory.mktemp("arrays"))
    return dict(zip(expressions, values, strict=True))


def _plain(value: Any) -> Any:
    """A value as the script writes it."""
    match value:
        case np.ndarray() if value.dtype.names:
            return [_plain(one) for one in value]
        case np.ndarray():
            return {"type": value.dtype.name, "values": _plain(value.tolist())}
        case np.void():
            return [_plain(value[name]) for name in value.dtype.names or ()]
        case np.generic():
            return _plain(value.item())
        case list():
            return [_plain(one) for one in value]
        case int() if abs(value) >= 1 << 53:
            return {"integer": str(value)}
    return value


@pytest.mark.parametrize("name", OPERATIONS)
def test_values(name: str, found: dict[str, Any]) -> None:
    try:
        expected = {"value": _plain(eval(OPERATIONS[name][0], {"np": np, "PAIR": PAIR}))}
    except IndexError:
        expected = {"error": "RangeError"}
    assert found[f"value of {name}"] == expected


@pytest.mark.parametrize("name", CHANGES)
def test_changes(name: str, found: dict[str, Any]) -> None:
    scope: dict[str, Any] = {"np": np, "PAIR": PAIR}
    exec(dedent(CHANGES[name][0]), scope)
    assert found[f"change of {name}"] == {"value": _plain(scope["a"])}
