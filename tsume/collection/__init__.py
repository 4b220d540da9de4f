# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection: problems that come with the program (docs/collection.md)."""
