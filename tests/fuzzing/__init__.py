# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile input for every command, and what each must do whatever the input. Run by `scripts/fuzz`."""
