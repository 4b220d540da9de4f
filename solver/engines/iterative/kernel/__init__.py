# SPDX-License-Identifier: GPL-3.0-or-later
"""The second engine's kernels: they use only those of `tsume_rules`."""
