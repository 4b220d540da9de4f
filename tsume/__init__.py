# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume: the application (commands, exports, diagrams)."""

__version__ = "0.3.0.dev0"
