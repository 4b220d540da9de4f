# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard a problem is."""
