# SPDX-License-Identifier: GPL-3.0-or-later
"""Booklets of problems: their content as data, their pages by typst."""
