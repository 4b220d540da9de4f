# SPDX-License-Identifier: GPL-3.0-or-later
"""Flash cards of problems, as Anki takes them."""
