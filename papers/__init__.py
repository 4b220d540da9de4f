# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiments of the papers this project is built on. Not part of the wheel."""
