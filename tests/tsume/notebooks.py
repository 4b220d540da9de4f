# SPDX-License-Identifier: GPL-3.0-or-later
"""Notebooks are run, and their outputs compared.

``python -m tests.tsume.notebooks`` runs docs/notebook.ipynb and stores its outputs in it.
"""

import tempfile
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.places import ROOT

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def executed(notebook: Any) -> Any:
    """A notebook with the outputs of a run in an empty folder. Raises for a cell that fails."""
    new = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
    for cell in new.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            new, timeout=600, kernel_name="python3", record_timing=False, resources={"metadata": {"path": folder}}
        ).execute()
    for cell in new.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if "text/html" in output.get("data", {}):  # which shows the same picture
                output["data"].pop("image/svg+xml", None)
    new.metadata.pop("widgets", None)
    new.metadata["language_info"] = {"name": "python"}
    return new


def stable_outputs(notebook: Any) -> list[tuple[str, dict[str, Any]]]:
    """The sources of the cells with what they show; pictures of plots differ from machine to machine."""
    return [
        (cell.source, {
            kind: shown
            for output in cell.outputs
            for kind, shown in {**output.get("data", {}), "text": output.get("text", "")}.items()
            if kind != "image/png"
        })
        for cell in notebook.cells if cell.cell_type == "code"
    ]  # fmt: skip


def read_notebook() -> Any:
    """The notebook as it is stored."""
    return nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    nbformat.write(executed(read_notebook()), NOTEBOOK)  # type: ignore[no-untyped-call]
