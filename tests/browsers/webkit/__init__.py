# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's WebKitGTK, driven by WebDriver: the part of Playwright's interface that the tests of pages use."""
