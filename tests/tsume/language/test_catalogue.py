"""The catalogue of phrases is complete in both languages."""

from __future__ import annotations

import string

import pytest

from tsume.language.catalogue import CATALOGUE, LANGUAGES


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_phrase_has_the_same_parts_in_both_languages(name: str) -> None:
    texts = CATALOGUE[name]
    assert len(texts) == len(LANGUAGES)
    japanese, english = ({part for _, part, _, _ in string.Formatter().parse(text) if part} for text in texts)
    assert japanese == english
