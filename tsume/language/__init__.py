# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program says to people, in Japanese and English side by side."""
