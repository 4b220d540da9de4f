# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging stores that were filled apart: of a problem's copies the first stays, by seed, root, place."""
