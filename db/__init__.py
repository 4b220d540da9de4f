# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of problems: SQLAlchemy models, the store, named migrations."""
