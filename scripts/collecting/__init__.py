# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing, verifying and publishing the collection."""
