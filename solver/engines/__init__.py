# SPDX-License-Identifier: GPL-3.0-or-later
"""Three engines that answer "mate within n plies?", and what they share."""
