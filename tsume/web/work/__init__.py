# SPDX-License-Identifier: GPL-3.0-or-later
"""Long jobs of the board, run by worker processes."""
