# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements that anyone can repeat, an idea a module; `scripts/measure.py` gathers them."""
