# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/headers`: the line that names the licence."""

from __future__ import annotations

import pytest

from scripts.headers import source_files, with_header
from tests.places import ROOT
from tests.releasing.checkout import needs_git

TAG = "SPDX-License-" + "Identifier: GPL-3.0-or-later"


@pytest.mark.parametrize(
    ("suffix", "text", "expected"),
    [
        (".py", '"""A module."""\n', f'# {TAG}\n"""A module."""\n'),
        (".js", '"use strict";\n', f'// {TAG}\n"use strict";\n'),
        (".css", "body {}\n", f"/* {TAG} */\nbody {{}}\n"),
        ("", "#!/bin/sh\n# Builds.\n", f"#!/bin/sh\n# {TAG}\n# Builds.\n"),
    ],
)
def test_the_line_is_added_once_below_the_interpreter(suffix: str, text: str, expected: str) -> None:
    assert with_header(suffix, text) == expected
    assert with_header(suffix, expected) == expected


@needs_git
def test_source_files_are_those_with_comments() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in source_files(ROOT)}
    assert {"scripts/headers", "scripts/headers.py", "tsume/web/static/board.js"} <= names
    assert not {"README.md", "LICENSE", "tsume/py.typed", "tests/javascript/package.json"} & names
