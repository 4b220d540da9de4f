# SPDX-License-Identifier: GPL-3.0-or-later
"""The worker of a page reads and writes texts as the server does."""

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote

import pytest

from browser.files import ABSENT, COMPUTED, REPLACED, runtime_source
from browser.translation import Program
from browser.translation.modules import Global
from tests.javascript.node import run_node
from tests.tsume.files.test_inputs import ADDRESS, ADDRESSES_OF_POSITIONS, HANDICAP, RECORD
from tests.tsume.formats import spellings
from tests.tsume.formats.styles import STYLES, written
from tests.tsume.formats.test_records import PIECES
from tests.tsume.formats.trees import random_record, random_tree
from tests.tsume.problems import COOKED, CORRECT, CORRECT_LINE, CORRECT_WHITE
from tsume.formats.diagram import english_diagram
from tsume.formats.english import line_texts
from tsume.formats.registry import WRITERS
from tsume.formats.text import decode_record_file
from tsume.formats.tpa import write_tpa
from tsume.web.work import in_browser
from tsume.web.work.in_browser import diagram_answer, kif_answer, reading_answer
from tsume_rules.position import HAND_KINDS, Hand
from tsume_rules.sfen import format_sfen


def answered(kind: str, questions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers to questions of a kind, by its function; a refusal is the field ``refused``."""
    function = Global(in_browser.__name__, f"{kind}_answer")
    program = Program([function], ABSENT, REPLACED, COMPUTED)
    script = f"""{runtime_source()}
{program.script()}
const answer = (fields) => {{
  try {{
    return $plain({program.js_name(function)}($from_plain(fields)));
  }} catch (error) {{
    if (!(error instanceof $ValueError)) throw error;
    return {{ refused: error.message }};
  }}
}};
console.log(JSON.stringify({json.dumps(list(questions))}.map(answer)));
"""
    done = run_node("-", text=script)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


Fields = dict[str, Any]

PLAYED = " ".join(CORRECT_LINE)
TPA = (write_tpa(RECORD), write_tpa(RECORD).replace("_", "__", 9), write_tpa(RECORD).replace("1", "0", 9))
LINES = (
    CORRECT, CORRECT_WHITE, f"{CORRECT} moves {PLAYED}", f"position sfen {CORRECT} moves {PLAYED}\n",
    f"\ufeff\n  sfen {CORRECT} moves {PLAYED}", f"{CORRECT}\n{COOKED}\n", f"{CORRECT} moves 9a9b", "startpos",
    f'{{"sfen": "{CORRECT}", "line": "{PLAYED}", "title": "題名\\u0007", "author": " 作者 "}}',
    f'{{"sfen": "{CORRECT}", "line": ["3d2c", 1]}}', '{"line": []}', "{", "[]", "", "zz", "9/9",
    f"position sfen {CORRECT} moves 3d2c 1b1a", "startpos moves 7g7f 3c3d 8h2b+", ADDRESS,
    "startpos moves 7g7e", *TPA, f"position sfen {HANDICAP} moves 5a4b 7g7f",
    "8k/9/9 b - 1", f"{CORRECT}\t{PLAYED}\t3", f"{CORRECT}\ta title", CORRECT.replace(" ", "\t"), "zz\t3d2c",
)  # fmt: skip
TABLES = (
    f"id,sfen,line\n1,{CORRECT},{PLAYED}\n", f'"sfen","title"\r\n"{CORRECT}","a ""b"", c\nd"\r\n',
    f"title,SFEN \n\nt,{CORRECT}\n", "id,sfen", "sfen,id\nzz,1\n", f'sfen,own_notes\n{CORRECT},a"b"\n',
    f'own_notes,sfen\n"a"b,{CORRECT}\r{CORRECT}', f'sfen\n"{CORRECT}', "a,b\nsfen,c\n",
)  # fmt: skip
ADDRESSES = (
    f"https://lishogi.org/editor/{CORRECT.replace(' ', '_')}",
    f"HTTPS://www.Lishogi.org/analysis/standard/{quote(CORRECT.replace(' ', '_'), safe='')}?color=gote#3",
    f"https://a.example/?sfen={CORRECT.replace(' ', '+')}&line={PLAYED.replace(' ', '+')}&sfen=9",
    "https://lishogi.org/training/1", "https://a.example/?sfen=", "http://[", "https://a.example/?sfen=zz",
    *(address for address, _ in ADDRESSES_OF_POSITIONS), "https://a.example/?moves=7g7f.%zz%e3%81#%ff",
    f"https://www.kento-shogi.com/?moves={PLAYED.replace(' ', '.')}", "piyoshogi://?url=https://a.example/a.kif",
    f"https://a.example/?kif={quote(WRITERS['kif'].write(RECORD))}",
)  # fmt: skip
_REASON_OF_JSON = re.compile(r"(JSON object: |invalid JSON: ).*|line \d+: (?=invalid JSON)")
"""Engines of JavaScript have messages of their own."""


def compared(kind: str, questions: Sequence[Fields], answer: Callable[[Fields], Fields]) -> None:
    """Fail unless Python and Node.js give the same answers."""
    found = answered(kind, questions)
    assert len(found) == len(questions)
    for question, its in zip(questions, found, strict=True):
        assert _without_reasons(its) == _without_reasons(_answer(answer, question)), question


def _answer(answer: Callable[[Fields], Fields], question: Fields) -> Fields:
    try:
        return answer(question)
    except ValueError as error:
        return {"refused": str(error)}


def _without_reasons(answer: Fields) -> Fields:
    error = answer.get("error", "").replace("\\u3000", " ")  # texts are quoted
    return {**answer, "error": _REASON_OF_JSON.sub(r"\1", error)}


def read_alike(texts: Sequence[str]) -> None:
    compared("reading", [{"text": text} for text in texts], reading_answer)


def test_lines_tables_and_addresses() -> None:
    read_alike([*LINES, *TABLES, *ADDRESSES])


def test_records_with_variations() -> None:
    read_alike([writer.write(random_tree(seed)) for writer in WRITERS.values() for seed in range(15)])


def test_records_of_other_programs() -> None:
    read_alike(
        [
            decode_record_file(written(random_tree(seed, commented=False), name, seed))
            for name in STYLES
            for seed in range(6)
        ]
    )


def test_what_people_paste() -> None:
    headers = [*spellings.HANDS, *(spellings.HAND + turn for turn in spellings.TURNS)]
    texts = [f"{spellings.BOARD}{header}\n{spellings.MOVES}" for header in headers]
    texts += [f"{spellings.BOARD}{spellings.HAND}{text}\n" for text in spellings.SOLUTIONS]
    texts += [f"{spellings.BOARD}{text}\n" for text, _, _ in spellings.REFUSED]
    after = (*spellings.VARIATIONS, *spellings.TRIES, *spellings.NOTES)
    texts += [f"{spellings.VARIED_BOARD}{line}{text}\n" for line in spellings.LABELLED for text in after]
    rng = random.Random(1)
    hands = [Hand.of({kind: rng.randrange(3) for kind in HAND_KINDS}) for _ in range(100)]
    texts += [f"{spellings.BOARD}持駒：{spellings.spelt_hand(hand, rng)}\n" for hand in hands]
    for seed in range(30):
        record = random_record(seed)
        western = " ".join(line_texts(record.position, record.line))
        texts.append(f"{english_diagram(record.position)}\n\n{western}  mate in {len(record.line)}")
    read_alike(texts)


@pytest.mark.parametrize("form", WRITERS)
def test_damaged_records(form: str) -> None:
    rng = random.Random(form)
    texts = []
    for seed in range(100):
        whole = WRITERS[form].write(random_record(seed))
        start = rng.randrange(len(whole))
        damage = "".join(rng.choices(PIECES, k=rng.randrange(4)))
        texts.append(whole[:start] + damage + whole[start + rng.randrange(4) :])
    read_alike(texts)


def test_kif_of_a_line() -> None:
    questions: list[Fields] = [{"sfen": CORRECT}, {"sfen": CORRECT_WHITE}, {"sfen": "zz"}]
    questions += [{"sfen": CORRECT, "title": "題名", "author": "作者\nほか"}, {"sfen": "9/9/9/9/9/9/9/9/9 b - 1"}]
    questions += [{"sfen": CORRECT, "line": line} for line in (CORRECT_LINE, ["9a9b"], ["zz"])]
    records = [random_record(seed) for seed in range(40)]
    questions += [{"sfen": format_sfen(one.position), "line": [move.usi for move in one.line]} for one in records]
    compared("kif", questions, kif_answer)


def test_diagrams() -> None:
    positions = [format_sfen(random_record(seed).position) for seed in range(30)]
    questions: list[Fields] = [{"sfen": sfen, "language": language} for sfen in positions for language in ("ja", "en")]
    questions += [{"sfen": "4k4/9/9/9/9/9/9/9/9 b - 1"}, {"sfen": "4k4/9/9/9/9/9/9/9/9 b 18P4G 1"}]
    questions += [{"sfen": "4k3N/9/9/9/4P4/4P4/9/9/K7K w 3R 1"}, {"sfen": "9/9/9/9/9/9/9/9/9 b - 1"}]
    compared("diagram", questions, diagram_answer)
