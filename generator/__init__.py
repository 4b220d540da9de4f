# SPDX-License-Identifier: GPL-3.0-or-later
"""Reverse construction: from mated positions back to correct problems."""
