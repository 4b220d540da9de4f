# SPDX-License-Identifier: GPL-3.0-or-later
"""Judgements and explanations in words and as JSON fields."""
