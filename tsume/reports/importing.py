# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages of `tsume import` about problems."""

from __future__ import annotations

from generator.resemblance import Resemblance
from solver.results import Grade, Judgement, Reason
from tsume.language.voice import Voice
from tsume.reports.judgement import given_text, start_fault_texts, terms_text
from tsume.reports.notation import move_writer
from tsume_rules.sfen import ParsedSfen


def stored_text(numbers: list[int], store: str, voice: Voice) -> str:
    """Return how many problems were stored, and their ids if these are consecutive."""
    ids = ""
    if numbers and numbers[-1] - numbers[0] == len(numbers) - 1:
        span = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        ids = voice("importing.ids", span=span)
    name = "importing.stored_one" if len(numbers) == 1 else "importing.stored"
    return voice(name, number=len(numbers), ids=ids, store=store)


_RESEMBLANCES = ("same", "mirrored", "shifted", "idle", "kinds", "edge", "one_piece")
"""The phrases for `Resemblance`, in its order."""


def known_text(kind: Resemblance, place: str, voice: Voice) -> str:
    """Return how a problem resembles the known one at a place."""
    return voice(f"importing.known_{_RESEMBLANCES[kind]}", place=place)


def note_text(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> str:
    """Return the blemishes of a sound problem, and the remarks on the given line."""
    notes = []
    if judgement.grade is Grade.SOUND:
        marks = terms_text(judgement.blemishes.blemish_names, voice)
        limit = voice("importing.not_settled") if not judgement.settled else ""
        notes.append(voice("importing.sound", remarks=_joined_clauses([marks, limit], voice)))
    is_main = judgement.given is not None and judgement.given.reading == "narrow"
    if not is_main and (text := given_text(judgement, parsed, voice)):
        notes.append(voice("judgement.given_text", given=voice("judgement.given"), text=text))
    return _joined_clauses(notes, voice)


def _joined_clauses(texts: list[str], voice: Voice) -> str:
    return voice("importing.clauses").join(filter(None, texts))


def not_scored_text(limit: Reason, voice: Voice) -> str:
    """Return why a correct problem has no score."""
    return voice("importing.not_scored", limit=voice(f"judgement.limit_{limit.value}"))


def refusal_text(judgement: Judgement, parsed: ParsedSfen, voice: Voice) -> str:
    """Return why a problem is not stored."""
    if judgement.grade is None:
        return voice("importing.unresolved")
    if judgement.grade is Grade.SOUND:
        return voice("importing.not_perfect")
    if judgement.grade is Grade.PERFECT:
        return voice("remarks.SAME_POSITION")
    sentences = start_fault_texts(judgement, move_writer(voice, parsed, ()))
    reasons = filter(None, [terms_text(judgement.faults.names, voice), *sentences])
    return voice("importing.unsound", reasons=voice.listed(reasons))
