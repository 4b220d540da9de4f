"""The words on pictures, and those that describe a picture to people who do not see it."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "mate_in": ("{length}手詰", "Mate in {length}"),
}
