# SPDX-License-Identifier: GPL-3.0-or-later
"""The games of the experiments on arrays. Imports only kernels."""
