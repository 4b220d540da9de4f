# SPDX-License-Identifier: GPL-3.0-or-later
"""Full-text search for both languages: English words by their stem, Japanese by pairs of characters.

Japanese is written without spaces. A segmenter cuts 余詰 or 打歩詰 differently in different sentences, so
that searches miss it. Pairs of neighbouring characters are the same wherever a word stands: a query finds
the pages that have all its pairs. Single characters are in the index too, for queries such as 玉.
"""

from __future__ import annotations

import re
from itertools import pairwise

from sphinx.search.en import SearchEnglish

_WIDE = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uff10-\uff5a\uff66-\uff9f"
_WORD = re.compile(rf"[{_WIDE}]+|[^\W{_WIDE}]+")
_FIRST = re.compile(rf"[{_WIDE}]")


def split(text: str) -> list[str]:
    """The words of a text for the index; of Japanese each character and each pair."""
    found: list[str] = []
    for run in _WORD.findall(text):
        found += [*run, *map("".join, pairwise(run))] if _FIRST.match(run) else [run]
    return found


class BothLanguages(SearchEnglish):
    """Splits and stems words for the index, and says in JavaScript how a query is split."""

    lang = "en"
    js_splitter_code = rf"""
function splitQuery(query) {{
  const runs = query.match(/[{_WIDE}]+|[^\s\p{{P}}\p{{S}}{_WIDE}]+/gu) || [];
  return runs.flatMap((run) => {{
    if (!/^[{_WIDE}]/.test(run) || run.length < 2) return [run];
    return Array.from({{ length: run.length - 1 }}, (_, place) => run.slice(place, place + 2));
  }});
}}
"""

    def split(self, input: str) -> list[str]:
        """The words of a text for the index."""
        return split(input)

    def word_filter(self, word: str) -> bool:
        """Whether a word is in the index: Japanese characters are, common English words are not."""
        return bool(_FIRST.match(word)) or super().word_filter(word)
