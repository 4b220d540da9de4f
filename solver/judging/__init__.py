# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a position is a correct problem, and what shows that it is not."""
