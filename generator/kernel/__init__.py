# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernels of both ways of composing share. Imports only kernels."""
