# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands, one thin module each. Kernels are imported only when a command needs them."""
