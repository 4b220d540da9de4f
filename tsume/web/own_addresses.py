# SPDX-License-Identifier: GPL-3.0-or-later
"""The addresses under which this machine is reached."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address

_PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation (RFC 5737, RFC 3849). Connecting a UDP socket sends nothing, but the system
chooses the own address from which it would send."""
_DISCARD = 9
_HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")


def is_wildcard_host(host: str) -> bool:
    """Return whether a server that listens there listens at every address of the machine (0.0.0.0, ::)."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def own_host_name() -> str | None:
    """Return the name of this machine, None if it has none that others could use."""
    name = socket.gethostname()
    return name if _HOST_NAME.fullmatch(name) and name.lower() != "localhost" else None


def network_hosts(listener: socket.socket) -> list[str]:
    """Return the hosts in addresses by which other machines reach a socket that listens everywhere."""
    is_v6 = listener.family == socket.AF_INET6
    only_v6 = is_v6 and listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) != 0
    families = [*([] if only_v6 else [socket.AF_INET]), *([socket.AF_INET6] if is_v6 else [])]
    found = [own for own in map(_own_address, families) if own is not None]
    name = own_host_name()
    return [*found, *([name] if name is not None else [])]


def local_host(listener: socket.socket) -> str:
    """Return the host in the address by which this machine reaches a socket that listens everywhere."""
    if listener.family == socket.AF_INET6 and listener.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY):
        return "[::1]"
    return "127.0.0.1"


def _own_address(family: socket.AddressFamily) -> str | None:
    """Return the machine's address as a URL has it; None without a network of this family."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_PROBES[family], _DISCARD))
            own = ip_address(probe.getsockname()[0])
    except OSError:
        return None
    if own.is_loopback or own.is_unspecified:
        return None
    return f"[{own}]" if own.version == 6 else str(own)
