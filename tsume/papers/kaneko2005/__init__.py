# SPDX-License-Identifier: GPL-3.0-or-later
"""Kaneko, Tanaka, Yamaguchi and Kawai 2005: df-pn with fixed-depth search at new nodes (tables 5 and 6)."""
