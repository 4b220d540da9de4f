# SPDX-License-Identifier: GPL-3.0-or-later
"""Shibahara, Tajima and Kotani 2006: draws proved in shogi on three by four cells (section 6)."""
