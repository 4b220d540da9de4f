# SPDX-License-Identifier: GPL-3.0-or-later
"""What two machines must have in common to find the same problems."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tsume.cluster import build_differences, build_of_this_process, build_token

OURS = {"tsume": "1.0", "numpy": "2.0", "processor": "znver3 avx avx2"}


def test_equal_builds_have_equal_tokens_whatever_the_order() -> None:
    assert build_token(OURS) == build_token(dict(reversed(OURS.items())))
    assert all(build_token({**OURS, name: "other"}) != build_token(OURS) for name in OURS)


def test_differences_are_told_in_words() -> None:
    assert build_differences(OURS, OURS) == []
    theirs = {**OURS, "numpy": "2.1", "processor": "znver3 avx avx512f", "numba": "0.60"}
    assert build_differences(OURS, theirs) == [
        "numba 0.60 there, none here",
        "numpy 2.1 there, 2.0 here",
        "processor: avx512f only there, avx2 only here",
    ]


def test_the_build_of_this_process_names_all_that_decides() -> None:
    found = build_of_this_process()
    assert set(found) == {
        "tsume", "recipe", "kernels", "numba", "numpy", "processor", "numpy's processor features",
    }  # fmt: skip
    assert all(found.values())
    assert found == build_of_this_process()


def test_kernels_from_the_wheel_are_another_build_than_compiled_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume_rules.kernel.cache.precompiled_kernels", lambda: None)
    compiled = build_of_this_process()
    kernels = SimpleNamespace(processor="x86-64-v3")
    monkeypatch.setattr("tsume_rules.kernel.cache.precompiled_kernels", lambda: kernels)
    assert build_differences(compiled, build_of_this_process()) == ["processor: wheel:x86-64-v3 only there"]
