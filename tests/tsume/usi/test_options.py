# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from solver.results import Interposition
from tsume.usi.options import READINGS, Settings, declarations, with_option
from tsume.usi.protocol import UsiError


def test_declarations() -> None:
    lines = declarations(Settings())
    assert "option name MultiPV type spin default 10 min 1 max 600" in lines
    assert "option name FindAll type check default false" in lines
    assert "option name Reading type combo default narrow var narrow var wide var count-futile" in lines
    assert "option name Lang type combo default ja var en var ja" in declarations(Settings(language="ja"))
    assert any(line.startswith("option name USI_Hash type spin default 256 min 40 max ") for line in lines)


@pytest.mark.parametrize(
    ("name", "value", "changed"),
    [
        ("USI_Hash", "64", Settings(hash_size=64)),
        ("usi_hash", "64", Settings(hash_size=64)),
        ("Threads", "2", Settings(threads=2)),
        ("MultiPV", "1", Settings(lines=1)),
        ("Reading", "wide", Settings(reading="wide")),
        ("FindAll", "true", Settings(find_all=True)),
        ("Shortest", "false", Settings(shortest=False)),
        ("Lang", "ja", Settings(language="ja")),
        ("USI_Ponder", "true", Settings()),
    ],
)
def test_setting(name: str, value: str, changed: Settings) -> None:
    assert with_option(Settings(), name, value) == changed


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("USI_Hash", "1", "USI_Hash: '1' is not a number from 40 to "),
        ("USI_Hash", "9" * 5000, "is not a number from"),
        ("Threads", "²", "is not a number from 1 to"),
        ("Threads", "", "is not a number from 1 to"),
        ("FindAll", "yes", "FindAll: 'yes' is not true or false"),
        ("Reading", "purist", "is not one of narrow, wide, count-futile"),
        ("Lang", "fr", "is not one of en, ja"),
        ("Hash", "1", "no option 'Hash'"),
    ],
)
def test_bad_values_are_refused(name: str, value: str, message: str) -> None:
    with pytest.raises(UsiError, match=message) as raised:
        with_option(Settings(), name, value)
    assert str(raised.value).isascii()
    assert len(str(raised.value)) < 200


def test_every_reading_of_the_engine_is_an_option() -> None:
    assert {*READINGS.values()} == {*Interposition}
    assert [Settings(reading=name).engine.interposition for name in READINGS] == [*READINGS.values()]
