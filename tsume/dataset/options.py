# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a data set: language, title and terms."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tsume.language.catalogue import Language

_KNOWN = frozenset({
    "apache-2.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0",
    "cc-by-nc-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0",
    "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc0-1.0", "cdla-permissive-1.0",
    "cdla-permissive-2.0", "cdla-sharing-1.0", "gfdl", "gpl-3.0", "mit", "odbl", "odc-by", "pddl",
    "unlicense", "wtfpl",
})  # fmt: skip
"""Licences by the names that hubs of data sets give them."""
_ALSO = {"cc0": "cc0-1.0", "odbl-1.0": "odbl", "odc-by-1.0": "odc-by", "pddl-1.0": "pddl"}


@dataclass(frozen=True)
class DatasetOptions:
    """``language`` is that of the data card. ``title`` may be empty: then the set has the usual one.

    ``licence`` is the name of a licence or the terms themselves; None where nothing is said of them.
    """

    language: Language = "en"
    title: str = ""
    licence: str | None = None

    @property
    def licence_name(self) -> str | None:
        """The identifier of the licence on hubs, None for other terms: ``cc-by-4.0`` for ``CC BY 4.0``."""
        words = re.sub(r"[\s_]+", "-", (self.licence or "").strip().lower())
        name = _ALSO.get(words, words)
        return name if name in _KNOWN else None

    @property
    def terms(self) -> str | None:
        """The text of the licence file; None for a known licence or without terms."""
        if self.licence is None or self.licence_name is not None:
            return None
        return self.licence.strip() + "\n"
