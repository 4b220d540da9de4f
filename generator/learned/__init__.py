# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing with a network that has learned from published problems what stands together."""
