# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates the Python above the kernels to JavaScript, so that each decision has one source."""
