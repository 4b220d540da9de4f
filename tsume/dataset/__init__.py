# SPDX-License-Identifier: GPL-3.0-or-later
"""A set of problems to publish: Parquet files, a configuration for each length, and a data card."""
