# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact length, the main tree and the best line of a position, by any engine."""
