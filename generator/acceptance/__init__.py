# SPDX-License-Identifier: GPL-3.0-or-later
"""Acceptance, the same for all ways of composing: the last tests make a candidate a problem."""
