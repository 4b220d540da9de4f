# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred KIF files as other programs write them, known by their content alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.places import ROOT
from tests.tsume.formats.styles import STYLES, written
from tests.tsume.formats.trees import random_tree, tree_of
from tsume.formats.registry import file_format_of, read_problem_file
from tsume.formats.text import decode_record_file
from tsume_rules.sfen import parse_sfen

NUMBER = 20
"""Files a program."""
PROBLEMS = [
    line
    for line in (ROOT / "papers/sekine.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("seed", range(NUMBER))
@pytest.mark.parametrize("name", STYLES)
def test_a_file_of_another_program_is_read(name: str, seed: int) -> None:
    record = replace(random_tree(seed, commented=False), title=f"第{seed}番")
    data = written(record, name, seed)
    (found,) = read_problem_file(data, file_format_of("stdin", data))
    assert found.fault is None, found.fault
    assert found.record is not None
    assert (found.record.position, found.title) == (record.position, record.title)
    assert tree_of(found.record) == tree_of(record)


@pytest.mark.parametrize("name", STYLES)
def test_several_problems_in_one_file_are_told_apart(name: str) -> None:
    records = [
        replace(random_tree(seed, commented=False), position=parse_sfen(sfen).position, line=(), branches=())
        for seed, sfen in enumerate(PROBLEMS[:10])
    ]
    records = [replace(record, title=f"第{place}番") for place, record in enumerate(records)]
    texts = [decode_record_file(written(record, name, place)) for place, record in enumerate(records)]
    found = list(read_problem_file("\n".join(texts).encode(), "kif"))
    assert [one.fault for one in found] == [None] * 10
    assert [(one.title, one.record and one.record.position) for one in found] == [
        (record.title, record.position) for record in records
    ]
