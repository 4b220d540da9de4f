# SPDX-License-Identifier: GPL-3.0-or-later
"""Local search. Imports only kernels."""
