# SPDX-License-Identifier: GPL-3.0-or-later
"""A run: batches of roots composed by one process or a pool, each problem once."""
