# SPDX-License-Identifier: GPL-3.0-or-later
"""Small shogi compiled: moves, the table, the search by proof numbers, solving backwards."""
