# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that ask git which files belong to the project; an sdist has no git."""

import pytest

from tests.places import ROOT

needs_git = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout of git")
