# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures that notebooks show."""

from __future__ import annotations

import base64
import html
import re

_TITLE = re.compile(r"<title>(.*?)</title><desc>(.*?)</desc>", re.DOTALL)


class Svg(str):
    """An SVG document, a text that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """The picture by itself: drawings of a page would share their ids and styles."""
        data = base64.b64encode(self.encode()).decode()
        found = _TITLE.search(self)
        words = html.unescape(". ".join(found.groups())) if found else ""
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{html.escape(words)}"/>'


class Png(bytes):
    """A PNG, bytes that notebooks show as a picture."""

    __slots__ = ()

    def _repr_png_(self) -> bytes:
        return bytes(self)
