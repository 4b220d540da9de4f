# SPDX-License-Identifier: GPL-3.0-or-later
"""Notation: problems as diagrams, Japanese moves, KIF, KI2 and CSA files."""
