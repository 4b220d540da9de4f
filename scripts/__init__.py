# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands for work on this project: checks, tests, measurements."""
