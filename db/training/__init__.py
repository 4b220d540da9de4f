# SPDX-License-Identifier: GPL-3.0-or-later
"""Training: persons, their results and repetitions, ratings of problems."""
