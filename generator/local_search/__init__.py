# SPDX-License-Identifier: GPL-3.0-or-later
"""Local search: candidates sampled by editing positions that mate in the right number of plies."""
