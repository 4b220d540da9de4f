# SPDX-License-Identifier: GPL-3.0-or-later
"""Work of several processes: an ordered map over a stream of items."""
