# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts compiled kernels into a wheel: those that `scripts/wheels` built for a platform, else some for this machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledKernelsHook(BuildHookInterface[Any]):
    """Adds the library of kernels (`compiler`) to a wheel, which is then for one platform and every Python."""

    def dependencies(self) -> list[str]:
        """Return what compiling needs, if nobody has compiled."""
        if self.target_name != "wheel" or "TSUME_KERNELS" in os.environ:
            return []
        core = self.build_config.builder.metadata.core
        return [*core.dependencies, *core.optional_dependencies["kernels"], "ziglang>=0.13"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folder TSUME_KERNELS, and give the wheel the platform TSUME_PLATFORM."""
        if version != "standard":  # an editable installation compiles when kernels have changed
            return
        folder, platform = os.environ.get("TSUME_KERNELS"), os.environ.get("TSUME_PLATFORM")
        if folder is None:
            self._built = tempfile.TemporaryDirectory()
            folder = str(Path(self._built.name, "kernels"))
            command = [sys.executable, "-m", "compiler", "library", "tsume", folder, "all"]
            done = subprocess.run(command, cwd=self.root, stdout=subprocess.PIPE, text=True, check=True)
            platform = done.stdout.strip()
        build_data["force_include"][folder] = "tsume_rules/compiled"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
