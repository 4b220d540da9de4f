# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands, a thin module each or for a few. Kernels are imported only when a command needs them."""
