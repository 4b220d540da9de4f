# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds compiled kernels to a wheel, which `scripts/wheels` asks for by two environment variables."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernelsHook(BuildHookInterface[Any]):
    """Makes the pure wheel a wheel of one Python and one platform, if there are compiled kernels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder TSUME_KERNELS to the wheel, and give it the tag TSUME_WHEEL_TAG."""
        folder = os.environ.get("TSUME_KERNELS")
        if version == "standard" and folder:
            build_data["force_include"][folder] = "tsume_rules/compiled"
            build_data["pure_python"] = False
            build_data["tag"] = os.environ["TSUME_WHEEL_TAG"]
