"""What a store refuses."""

from __future__ import annotations


class StoreError(ValueError):
    """A store that cannot be opened, read or written; one line names the place and the fault."""
