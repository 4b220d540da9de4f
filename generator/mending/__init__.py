# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs of a problem that is not correct: the changes nearest to it that make it so."""
