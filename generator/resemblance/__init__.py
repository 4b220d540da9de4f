# SPDX-License-Identifier: GPL-3.0-or-later
"""Which problems equal published or other ones, or nearly so: by their pieces, wherever the king stands."""
