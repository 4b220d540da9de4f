# SPDX-License-Identifier: GPL-3.0-or-later
"""The first engine: df-pn with a transposition table (Nagai2002, Kishimoto, Seo1999, Kaneko2005)."""
