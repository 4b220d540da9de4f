# SPDX-License-Identifier: GPL-3.0-or-later
"""Sugyan 2018: the examples of a text on df-pn solvers, put to this one."""
