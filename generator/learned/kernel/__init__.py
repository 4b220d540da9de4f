# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of the network: what it sees of an unfinished position, what may come next, what it draws.

Imports only kernels."""
