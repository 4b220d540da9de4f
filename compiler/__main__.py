# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m compiler library NAME FOLDER [PLATFORM]``: builds a library of kernels (`tsume_rules.kernel.compile`).

Without a platform (`compiler.build.PLATFORMS`) it is built for this machine's processor; ``all``: for all processors
of this machine's platform, whose name is printed.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace

from tsume_rules.kernel import compile as declarations

declarations.make_dispatcher = lambda kernel: SimpleNamespace(kernel=kernel)  # no kernel is called here


def main() -> None:
    """Run the command line."""
    for module in ("numba", "llvmlite"):
        if importlib.util.find_spec(module) is None:
            sys.exit(f"compiling kernels needs {module}: pip install 'tsume-shogi[kernels]'")
    from compiler import build  # kernels are imported after the above

    name, folder, *platforms = sys.argv[2:]
    try:
        if platforms == ["all"]:
            platforms = [build.platform_here()]
            print(*platforms)
        targets = [target for one in platforms for target in build.PLATFORMS[one]] or [build.target_here()]
        build.build_library(name, Path(folder), targets)
    except (build.NoLinker, RuntimeError, OSError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
