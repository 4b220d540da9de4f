from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("kernels", deadline=None)  # the first call of a kernel may compile it
settings.load_profile("kernels")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels once, on all processors, before several processes need them."""
    if not hasattr(session.config, "workerinput") and session.config.getoption("numprocesses", None):
        from tsume.warmup import Part, warm_up

        warm_up(*Part)
