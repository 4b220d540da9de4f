# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements that anyone can repeat, one a module; `scripts/measure.py` gathers them."""
