# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate and futile interpositions on arrays, for all engines without a definition of their own."""
