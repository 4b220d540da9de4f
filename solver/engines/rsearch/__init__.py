# SPDX-License-Identifier: GPL-3.0-or-later
"""The third engine, RSEARCH: search of a game tree in a given space (Katoh1988)."""
