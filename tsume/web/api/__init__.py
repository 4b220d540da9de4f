# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON API: requests, responses, and their description."""
