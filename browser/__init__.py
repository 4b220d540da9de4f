# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the solver for browsers and Node.js from the sources of the application (README.md)."""
