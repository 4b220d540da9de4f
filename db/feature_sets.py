# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of features: each set is stored once, in the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

from sqlalchemy import select
from sqlalchemy.orm import Session

from db.inserting import insert_missing
from db.models import FEATURE_SETS

_REMEMBERED = 1000


@lru_cache(_REMEMBERED)
def feature_set_number(names: tuple[str, ...]) -> int:
    """The id of a set of names: a hash, so that all processes give the same names the same one."""
    digest = blake2b(json.dumps(names).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def add_feature_sets(session: Session, sets: Mapping[int, Sequence[str]]) -> None:
    """Store sets of names by id, unless they are stored already."""
    insert_missing(session, FEATURE_SETS, [{"id": key, "names": list(sets[key])} for key in sorted(sets)])


def feature_names(session: Session, sets: Collection[int]) -> dict[int, Sequence[str]]:
    """The names of sets, by id; missing ones are omitted."""
    if not sets:
        return {}
    wanted = select(FEATURE_SETS.c.id, FEATURE_SETS.c.names).where(FEATURE_SETS.c.id.in_(sorted(sets)))
    return {key: names for key, names in session.connection().execute(wanted) if isinstance(names, list)}
