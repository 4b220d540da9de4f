# SPDX-License-Identifier: GPL-3.0-or-later
"""What a problem looks like, in numbers: whether composed problems look like published ones."""
