# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder of pages: the board of `tsume serve` without a server."""
