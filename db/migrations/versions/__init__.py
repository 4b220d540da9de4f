# SPDX-License-Identifier: GPL-3.0-or-later
"""The revisions, in the order of their numbers; a file's name is its revision's name."""
