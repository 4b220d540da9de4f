# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate search: exact length, best line, verdict and difficulty."""
