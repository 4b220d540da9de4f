# SPDX-License-Identifier: GPL-3.0-or-later
"""The df-pn search on arrays. Imports only kernels."""
