# SPDX-License-Identifier: GPL-3.0-or-later
"""Training: which problem comes next, what a result changes, and who it belongs to."""
