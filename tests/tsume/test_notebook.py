# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebook of the documentation runs, and stores what it shows."""

from __future__ import annotations

import pytest

from tests.tsume.notebooks import executed, read_notebook, stable_outputs


def test_the_notebook_has_what_its_cells_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TSUME_LANG", raising=False)
    stored = read_notebook()
    shown = stable_outputs(executed(stored))
    for (source, now), (_, before) in zip(shown, stable_outputs(stored), strict=True):
        assert now == before, f"{source}\nupdate with python -m tests.tsume.notebooks"
    pictures = [source for source, outputs in shown if "data:image/svg" in outputs.get("text/html", "")]
    assert len(pictures) == 7
