# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths: the repository, and positions beside it (tests that read these skip without them)."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("TSUME_DATA", ROOT.parent / "shared" / "data"))
COMPOSED = ROOT / "papers" / "sekine.txt"
"""Problems of 5 to 11 plies by this project."""
