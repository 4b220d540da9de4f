# SPDX-License-Identifier: GPL-3.0-or-later
"""Reverse construction. Imports only kernels."""
