# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants that are fitted on published problems. Run through `scripts/fit`."""
