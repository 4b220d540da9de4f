# SPDX-License-Identifier: GPL-3.0-or-later
"""Katoh and Ibaraki 1988: search in a given space, on 6x6 Othello (section 5)."""
