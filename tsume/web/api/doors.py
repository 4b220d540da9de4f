"""Who may have work done, and who may save."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

from starlette.requests import Request

from tsume.web.api.answers import Refused


@dataclass(frozen=True)
class Doors:
    """``open``: other machines may have work done and save too. ``saves``: whether anyone may save."""

    open: bool = False
    saves: bool = True

    def require_worker(self, request: Request) -> None:
        """Raise `Refused` unless who asks may have work done."""
        if not self.open and not _is_here(request):
            raise Refused(403, "work is done for this machine only (tsume serve --open does it for others)")

    def require_saver(self, request: Request) -> None:
        """Raise `Refused` unless who asks may save."""
        self.require_worker(request)
        if not self.saves:
            raise Refused(403, "nothing is saved here (tsume serve --read-only)")


def _is_here(request: Request) -> bool:
    """Whether a request comes from this machine."""
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False
