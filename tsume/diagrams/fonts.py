# SPDX-License-Identifier: GPL-3.0-or-later
"""The font of all pictures and books: IPAexGothic, which the package matplotlib-fontja carries."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

FAMILY = "IPAexGothic"


def font_path() -> Path:
    """The file of the font. Raises FileNotFoundError if it is not installed."""
    found = find_spec("matplotlib_fontja")
    if found is None or found.origin is None:
        raise FileNotFoundError("matplotlib-fontja is not installed")
    path = Path(found.origin).parent / "fonts" / "ipaexg.ttf"
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such font")
    return path
