# SPDX-License-Identifier: GPL-3.0-or-later
"""The game of shogi as tsume-shogi uses it. Knows nothing of searching."""
