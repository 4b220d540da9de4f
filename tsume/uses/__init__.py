# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program does with positions, one module a use: plain values in, data out; no text, no files."""
