# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing a collection from many problems: good ones, no two alike, spread over what a problem shows."""
