# SPDX-License-Identifier: GPL-3.0-or-later
"""Which clients may start jobs, save problems and add persons."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address

from starlette.requests import Request

from tsume.web.api.responses import RequestError

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Headers in which a proxy names its client."""


@dataclass(frozen=True)
class Permissions:
    """``remote``: other machines may start jobs and save too. ``saving``: problems may be saved at all.

    ``sign_up``: persons on other machines may choose a name and a passphrase.
    """

    remote: bool = False
    saving: bool = True
    sign_up: bool = False

    def require_work(self, request: Request) -> None:
        """Raise `RequestError` unless the client may start jobs."""
        if not self.remote and not is_local(request):
            fault = "work is allowed from this machine only (tsume serve --open allows others)"
            raise RequestError(403, fault, code="not_here")

    def require_saving(self, request: Request) -> None:
        """Raise `RequestError` unless the client may save problems."""
        self.require_work(request)
        self.require_writable()

    def may_save(self, request: Request) -> bool:
        """Whether the client may save problems."""
        return self.saving and (self.remote or is_local(request))

    def require_writable(self) -> None:
        """Raise `RequestError` if nothing is saved."""
        if not self.saving:
            raise RequestError(403, "saving is turned off (tsume serve --read-only)", code="read_only")

    def may_sign_up(self, request: Request) -> bool:
        """Whether the client may add a person."""
        return self.saving and (self.sign_up or is_local(request))


def is_local(request: Request) -> bool:
    """Whether a request comes from this machine, and not through a proxy on it."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    server = request.scope.get("server")
    if server is not None and request.client.host == server[0]:  # its own address, not the loopback
        return True
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
