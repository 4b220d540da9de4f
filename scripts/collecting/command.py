# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of tsume, run as their users do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run_tsume(*arguments: str | Path) -> None:
    """Run a command; raises `subprocess.CalledProcessError` if it fails."""
    subprocess.run([sys.executable, "-m", "tsume", *map(str, arguments)], check=True)
