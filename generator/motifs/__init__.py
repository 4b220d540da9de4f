# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing round a pattern that makes a theme possible."""
