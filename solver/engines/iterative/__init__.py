# SPDX-License-Identifier: GPL-3.0-or-later
"""The second engine, after Sekine: iterative deepening over the root's checks. It shares only the rules."""
