# SPDX-License-Identifier: GPL-3.0-or-later
"""Fuzzes readers by coverage if atheris is installed, each in its own process.

Nothing of the program is imported here: atheris follows only what is imported under its eyes.
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

_SEEDS = {
    "sfen": ["4k4/9/9/9/9/9/9/9/9 b R2b4g 1 moves R*5b"],
    "jsonl": ['{"sfen": "4k4/9/9/9/9/9/9/9/9 b R2b4g 1"}'],
    "database": ["postgresql://me:pw@host:5/x?password=a", "sqlite:///x.db", ":memory:"],
}


def installed() -> bool:
    """Whether atheris can be imported."""
    return importlib.util.find_spec("atheris") is not None


def run(name: str, seconds: int) -> str:
    """Fuzz a reader in its own process; returns what was found, or an empty text."""
    command = [sys.executable, "-m", "tests.fuzzing.guided", name, str(seconds)]
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        done = subprocess.run(
            [*command, folder], capture_output=True, text=True, errors="replace", check=False,
            timeout=seconds + 300,
        )  # fmt: skip
        found = [path for path in Path(folder).iterdir() if path.name.startswith(("crash-", "timeout-", "oom-"))]
        inputs = "".join(f"\n{path.name}: {path.read_bytes()[:2000]!r}" for path in found)
    return f"{done.stdout[-3000:]}{done.stderr[-500:]}{inputs}" if done.returncode or found else ""


def main(name: str, seconds: str, folder: str) -> None:
    """Fuzz until the time is up; ends the process."""
    import atheris

    with atheris.instrument_imports(include=["tsume_rules", "tsume", "db"]):
        from tests.fuzzing.readers import READERS
    corpus = Path(folder) / "corpus"
    corpus.mkdir()
    for number, text in enumerate(_seeds(name)):
        (corpus / f"{number}").write_text(text)
    limits = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=0", "-max_len=20000"]
    atheris.Setup([name, *limits, f"-artifact_prefix={folder}/", str(corpus)], READERS[name])
    atheris.Fuzz()


def _seeds(name: str) -> list[str]:
    from tests.tsume.formats.trees import random_record
    from tsume.formats.registry import WRITERS

    if name in _SEEDS:
        return _SEEDS[name]
    return [WRITERS[name].write(random_record(seed)) for seed in range(10)]


if __name__ == "__main__":
    main(*sys.argv[1:])
