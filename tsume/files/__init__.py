# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading and writing files: positions that are given, records, pictures, folders, exports."""
