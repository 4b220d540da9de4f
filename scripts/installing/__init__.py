# SPDX-License-Identifier: GPL-3.0-or-later
"""The install lines of the pages, run as written."""
