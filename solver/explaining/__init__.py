# SPDX-License-Identifier: GPL-3.0-or-later
"""Explanations: why the other checks fail (tries) and how each answer is met (variations)."""
