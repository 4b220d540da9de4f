# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/install_lines`: which lines it finds, and the index that it serves."""

import io
import json
import tarfile
import urllib.request
from pathlib import Path

import pytest

from scripts.install_lines import InstallLine, commands, extras, install_lines, serve_index, simple_page, unbroken_code
from tests.places import ROOT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pipx install tsume-shogi", ["pipx install tsume-shogi"]),
        ("for example `pipx install 'tsume-shogi[print,web]'`:", ["pipx install 'tsume-shogi[print,web]'"]),
        ("needs `pip install 'tsume-shogi[web]'` and runs", ["pip install 'tsume-shogi[web]'"]),
        ("`uv tool install tsume-shogi`, `pip install --upgrade tsume-shogi`.",
         ["uv tool install tsume-shogi", "pip install --upgrade tsume-shogi"]),
        ("uvx --from tsume-shogi tsume solve  # at once", ["uvx --from tsume-shogi tsume solve"]),
        ("npm install tsume-shogi", ["npm install tsume-shogi"]),
        ("pip install 'tsume-shogi[{extra}]' (or {module} alone)",
         ["pip install 'tsume-shogi[a]'", "pip install 'tsume-shogi[b]'"]),
        ("the distribution `tsume-shogi`", []),
        ("pip install ziglang", []),
        ("`npm install` in `tests/javascript`", []),
    ],
)  # fmt: skip
def test_commands_of_a_line(text: str, expected: list[str]) -> None:
    assert list(commands(text, ["a", "b"])) == expected


def test_wrapped_commands_are_joined() -> None:
    page = "Use `uv tool install\n  tsume-shogi` or\n```sh\npipx install tsume-shogi\n```\n"
    found = [list(commands(line, [])) for line in unbroken_code(page).splitlines()]
    assert found == [["uv tool install tsume-shogi"], [], [], ["pipx install tsume-shogi"], []]


def test_extras_of_a_line() -> None:
    assert InstallLine("pipx install 'tsume-shogi[print,web]'", ()).extras == ("print", "web")
    assert InstallLine("pipx install tsume-shogi", ()).extras == ()


def test_every_extra_has_a_line_and_every_line_known_extras() -> None:
    lines, known = install_lines(ROOT), set(extras(ROOT))
    assert {extra for line in lines for extra in line.extras} == known
    assert any(place.startswith("tsume/extras.py:") for line in lines for place in line.places)
    assert any(place.startswith("README.md:") for line in lines for place in line.places)


@pytest.fixture
def distributions(tmp_path: Path) -> Path:
    """A folder with a wheel and a package for npm, without anything in them."""
    (tmp_path / "tsume_shogi-1.2.3-py3-none-any.whl").write_bytes(b"wheel")
    described = json.dumps({"name": "tsume-shogi", "version": "1.2.3"}).encode()
    with tarfile.open(tmp_path / "tsume-shogi-1.2.3.tgz", "w:gz") as archive:
        entry = tarfile.TarInfo("package/package.json")
        entry.size = len(described)
        archive.addfile(entry, io.BytesIO(described))
    return tmp_path


def test_the_index_lists_only_distributions(distributions: Path) -> None:
    page = simple_page(distributions)
    assert 'href="/files/tsume_shogi-1.2.3-py3-none-any.whl"' in page
    assert ".tgz" not in page


def test_the_index_serves_this_package_and_redirects_others(distributions: Path) -> None:
    with serve_index(distributions) as address:
        assert _read(f"{address}/files/tsume_shogi-1.2.3-py3-none-any.whl") == b"wheel"
        head = urllib.request.Request(f"{address}/files/tsume_shogi-1.2.3-py3-none-any.whl", method="HEAD")
        with urllib.request.urlopen(head) as answer:
            assert (answer.headers["Content-Length"], answer.read()) == ("5", b"")
        assert b"tsume_shogi-1.2.3" in _read(f"{address}/simple/tsume-shogi/")
        described = json.loads(_read(f"{address}/npm/tsume-shogi"))
        assert described["dist-tags"] == {"latest": "1.2.3"}
        assert described["versions"]["1.2.3"]["dist"]["tarball"] == f"{address}/files/tsume-shogi-1.2.3.tgz"
        opener = urllib.request.build_opener(_NoRedirect)
        with pytest.raises(urllib.request.HTTPError) as redirected:
            opener.open(f"{address}/simple/numpy/")
        assert redirected.value.headers["Location"] == "https://pypi.org/simple/numpy/"
        redirected.value.close()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow nothing."""


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        content: bytes = answer.read()
    return content
