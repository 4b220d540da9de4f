"""What a person wrote to a stored problem, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from db.notebook import JSON_NAMES, TEXTS, Notebook, printable
from db.notebook_rows import Versions


def notebook_lines(notebook: Notebook, versions: Versions) -> Iterator[str]:
    """A line for each thing that was written, further lines of notes indented; nothing for the rest."""
    yield from (f"{name}: {printable(getattr(notebook, name))}" for name in _SHORT if getattr(notebook, name))
    if notebook.tags:
        yield f"tags: {', '.join(map(printable, notebook.tags))}"
    if versions.earlier:
        yield f"version of: {' > '.join(map(str, versions.earlier))}"
    if versions.later:
        yield f"versions: {', '.join(map(str, versions.later))}"
    if notebook.notes:
        first, *others = map(printable, notebook.notes.split("\n"))
        yield f"notes: {first}"
        yield from (f"  {line}" for line in others)


_SHORT = tuple(name for name in TEXTS if name != "notes")


def notebook_fields(notebook: Notebook) -> dict[str, Any]:
    """A notebook as JSON fields; a text that is not there is None."""
    texts = {field: getattr(notebook, name) or None for name, field in JSON_NAMES.items()}
    return {**texts, "tags": list(notebook.tags), "version_of": notebook.parent}
