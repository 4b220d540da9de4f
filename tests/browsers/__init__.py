# SPDX-License-Identifier: GPL-3.0-or-later
"""The engines in which pages are tested: Chromium, Firefox and WebKitGTK, as Debian packages them."""
