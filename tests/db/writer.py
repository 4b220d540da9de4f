# SPDX-License-Identifier: GPL-3.0-or-later
"""A process that fills a store: ``python -m tests.db.writer PLACE FIRST AFTER``.

Prints the id of each problem once it is stored (None: it was stored before).
"""

import sys

from db.store import Store
from tests.db.samples import problems


def main(place: str, first: str, after: str) -> None:
    """Add the samples from ``first`` up to ``after``."""
    with Store.open(place) as store:
        for problem in problems(int(first), int(after)):
            print(store.add(problem), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
