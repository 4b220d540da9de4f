# SPDX-License-Identifier: GPL-3.0-or-later
"""The migrations: one named revision a file, ``versions/NNNN_name.py``."""
