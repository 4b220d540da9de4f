# SPDX-License-Identifier: GPL-3.0-or-later
"""Sphinx as it is used here: search in both languages, joined Japanese lines, names and formulas.

Formulas are MathML, which browsers set without any script.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import sphinx.search
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.search.en import SearchEnglish
from sphinx.writers.html5 import HTML5Translator

from scripts.documentation import LIBRARY

# --- full-text search: English words by their stem, Japanese by pairs of characters ----------------

_JAPANESE = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uff10-\uff5a\uff66-\uff9f"
_WORD = re.compile(rf"[{_JAPANESE}]+|[^\W{_JAPANESE}]+")
_FIRST = re.compile(rf"[{_JAPANESE}]")


def search_words(text: str) -> list[str]:
    """Return the words of a text for the index; of Japanese each character and each pair."""
    found: list[str] = []
    for run in _WORD.findall(text):
        found += [*run, *map("".join, pairwise(run))] if _FIRST.match(run) else [run]
    return found


class BilingualSearch(SearchEnglish):
    """Splits and stems words for the index, and says in JavaScript how a query is split."""

    lang = "en"
    js_splitter_code = rf"""
function splitQuery(query) {{
  const runs = query.match(/[{_JAPANESE}]+|[^\s\p{{P}}\p{{S}}{_JAPANESE}]+/gu) || [];
  return runs.flatMap((run) => {{
    if (!/^[{_JAPANESE}]/.test(run) || run.length < 2) return [run];
    return Array.from({{ length: run.length - 1 }}, (_, place) => run.slice(place, place + 2));
  }});
}}
"""

    def split(self, input: str) -> list[str]:
        """Return the words of a text for the index."""
        return search_words(input)

    def word_filter(self, word: str) -> bool:
        """Return whether a word is in the index: Japanese characters are, common English words are not."""
        return bool(_FIRST.match(word)) or super().word_filter(word)


# --- the extension ---------------------------------------------------------------------------------

_WIDE = "\u2026\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
_LONG = 24
"""Code with a longer word may break within it."""
_SPACE = re.compile(rf"(?<=[{_WIDE}])[\n ](?=[{_WIDE}])")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything; Sphinx calls this."""
    search = f"{BilingualSearch.__module__}.{BilingualSearch.__name__}"
    sphinx.search.languages.update({"en": search, "ja": search})
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))
    app.connect("doctree-read", join_japanese_lines)
    app.connect("doctree-read", mark_code)
    app.connect("missing-reference", resolve_in_library)
    # Programs read results, they do not make them: the parameters of their classes are left out.
    app.connect("autodoc-process-signature", lambda _app, what, *_: ("", "") if what == "class" else None)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_formula(writer: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula, in a line or by itself, as MathML."""
    writer.body.append(tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))
    raise nodes.SkipNode


def join_japanese_lines(app: Sphinx, document: nodes.document) -> None:
    """Remove line breaks between Japanese characters, which browsers would show as spaces.

    Spaces go too: they stand around links whose text was the name of a file.
    """
    if app.config.language != "ja":
        return
    for element in list(document.findall(nodes.TextElement)):
        if not isinstance(element, nodes.FixedTextElement):
            texts = [child.astext() for child in element.children]
            for place, child in enumerate(element.children):
                if isinstance(child, nodes.Text):
                    before, after = "".join(texts[:place])[-1:], "".join(texts[place + 1 :])[:1]
                    joined = _SPACE.sub("", f"{before}{child}{after}")
                    element[place] = nodes.Text(joined[len(before) : len(joined) - len(after)])


def mark_code(_app: Sphinx, document: nodes.document) -> None:
    """Give blocks of code with Japanese the class ``wide``, and long code in a line ``long``."""
    for block in document.findall(nodes.literal_block):
        if re.search(f"[{_WIDE}]", block.astext()):
            block["classes"].append("wide")
    for code in document.findall(nodes.literal):
        if len(code.astext()) > _LONG:
            code["classes"].append("long")


def resolve_in_library(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Resolve a name of a module in `tsume.library` as that of the package, which is the public one."""
    target: str = node.get("reftarget", "")
    if not target.startswith(f"{LIBRARY}."):
        return None
    name = f"{LIBRARY}.{target.rpartition('.')[2]}"
    domain = env.domains.python_domain
    found = domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, content)
    return found if isinstance(found, nodes.reference) else None
