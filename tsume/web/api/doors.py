"""Who may have work done, and who may save."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

from starlette.requests import Request

from tsume.web.api.answers import Refused

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Headers by which a proxy says for whom it asks."""


@dataclass(frozen=True)
class Doors:
    """``open``: other machines may have work done and save too. ``saves``: whether anyone may save."""

    open: bool = False
    saves: bool = True

    def require_worker(self, request: Request) -> None:
        """Raise `Refused` unless who asks may have work done."""
        if not self.open and not _is_here(request):
            fault = "work is done for this machine only (tsume serve --open does it for others)"
            raise Refused(403, fault, code="not_here")

    def require_saver(self, request: Request) -> None:
        """Raise `Refused` unless who asks may save."""
        self.require_worker(request)
        if not self.saves:
            raise Refused(403, "nothing is saved here (tsume serve --read-only)", code="read_only")


def _is_here(request: Request) -> bool:
    """Whether a request comes from this machine: not from another through a proxy on this one."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    server = request.scope.get("server")
    if server is not None and request.client.host == server[0]:  # its own address, not the loopback
        return True
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
