# SPDX-License-Identifier: GPL-3.0-or-later
"""The USI engine: mate search for shogi programs (docs/usi.md)."""
