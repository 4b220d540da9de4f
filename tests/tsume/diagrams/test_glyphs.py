# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines are the same whoever reads them: the font's reader loads its parts without a lock of its own."""

from __future__ import annotations

import subprocess
import sys

MANY = """
from concurrent.futures import ThreadPoolExecutor
from tsume.diagrams.glyphs import centred_text_path

TEXTS = [chr(code) for code in range(0x4E00, 0x4E80)]

def paths(start):
    turned = TEXTS[start:] + TEXTS[:start]
    found = {text: centred_text_path(text, 10, 0, 0) for text in turned}
    return [found[text] for text in TEXTS]

with ThreadPoolExecutor(8) as pool:
    first, *others = pool.map(paths, range(0, 128, 16))
assert all(other == first for other in others)
assert len(set(first)) > 60
"""


def test_threads_read_the_same_outlines() -> None:
    done = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
