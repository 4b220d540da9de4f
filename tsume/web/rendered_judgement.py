# SPDX-License-Identifier: GPL-3.0-or-later
"""A judgement as JSON fields, with its text in both languages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from solver.results import Judgement
from tsume.language.catalogue import LANGUAGES
from tsume.language.voice import Voice
from tsume.reports.findings import finding_sentence
from tsume.reports.judgement import (
    given_text,
    judgement_fields,
    judgement_head_line,
    judgement_text_lines,
)
from tsume.reports.notation import move_writer, usi_line
from tsume.services.checking import Checker
from tsume_rules.sfen import ParsedSfen

VOICES = {language: Voice.of(language) for language in LANGUAGES}


def rendered_judgement(judgement: Judgement, parsed: ParsedSfen, checker: Checker) -> dict[str, Any]:
    """The fields of ``tsume check --jsonl`` and texts by language; the checker has just judged the position.

    ``headline`` and each finding's ``text`` have one text for each language, ``texts`` a list of lines. A
    finding's ``line`` is a text: the moves from the first position.
    """
    fields = judgement_fields(judgement, parsed)
    tellers = {name: move_writer(voice, parsed, judgement.line) for name, voice in VOICES.items()}
    for finding, told in zip(judgement.findings, fields["findings"], strict=True):
        told["text"] = {
            name: finding_sentence(finding, writer, titled=True) for name, writer in tellers.items()
        }
        told["line"] = " ".join(usi_line(parsed, finding.line))
    if fields["given"] is not None:
        fields["given"]["text"] = {
            name: given_text(judgement, parsed, voice) for name, voice in VOICES.items()
        }
    return {
        "sfen": parsed.sfen,
        **fields,
        **asdict(checker.appraise(parsed.position, judgement)),
        "headline": {name: judgement_head_line(judgement, parsed, voice) for name, voice in VOICES.items()},
        "texts": {
            name: list(judgement_text_lines(judgement, parsed, voice)) for name, voice in VOICES.items()
        },
    }
