# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a site."""

from __future__ import annotations

from tsume.files.made_folder import MadeFolderKind

SITE = MadeFolderKind("site", ".tsume-site")
"""A folder of pages."""
