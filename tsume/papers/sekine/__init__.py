# SPDX-License-Identifier: GPL-3.0-or-later
"""Sekine, Maekawa and Iyoda: iterative deepening of each check at its own pace (section 4)."""
