# SPDX-License-Identifier: GPL-3.0-or-later
"""Reverse construction: candidates extended move by move backwards from mated positions or given problems."""
