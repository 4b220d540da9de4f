# SPDX-License-Identifier: GPL-3.0-or-later
"""What a problem and the positions on the way to it must satisfy, and how much is tried."""
