# SPDX-License-Identifier: GPL-3.0-or-later
"""The board in a browser: a local web server, its pages, and the scripts of the board."""
