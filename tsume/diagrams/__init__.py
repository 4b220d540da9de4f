# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of positions: SVG drawn here, PNG by a library; text descriptions."""
