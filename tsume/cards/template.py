# SPDX-License-Identifier: GPL-3.0-or-later
"""The templates of both sides of a card, and their style."""

from __future__ import annotations

CHANGED = 1_795_305_600
"""Seconds since 1970 when these texts changed last (2026-11-22). Anki replaces older templates,
so changes by users remain until this is raised. Raise it with every change."""

QUESTION = """\
<div class="tsume question">
<div class="caption">{{Caption}}</div>
<div class="board">{{Front}}</div>
<div class="side">{{Side}}</div>
</div>
"""

ANSWER = """\
{{FrontSide}}
<hr id="answer">
<div class="tsume answer">
<div class="solution">
<div class="line">{{Line}}</div>
<div class="notation">{{Other notation}}</div>
</div>
<div class="board">{{Back}}</div>
<div class="more">
{{#Variations}}<div class="variations">{{Variations}}</div>{{/Variations}}
<div class="about">{{About}}</div>
</div>
</div>
"""

STYLE = """\
.card {
  color: #1c1206;
  background-color: #fbf8f1;
  font-family: "Hiragino Sans", "Yu Gothic", Meiryo, "Noto Sans CJK JP", "Noto Sans JP", sans-serif;
  font-size: 18px;
  line-height: 1.6;
  overflow-wrap: break-word;
  text-align: center;
}
.card.nightMode, .card.night_mode {
  color: #e6e1d6;
  background-color: #1f1f1f;
}
.tsume .caption { font-size: 1.4em; font-weight: bold; }
.tsume .caption span, .tsume .side span { display: inline-block; }
.tsume .board img {
  width: 100%;
  max-width: 30rem;
  max-width: min(30rem, 90vh);
  max-height: none;
  height: auto;
  border-radius: 6px;
}
.nightMode .tsume .board img, .night_mode .tsume .board img { filter: brightness(0.88); }
.tsume .side, .tsume .notation { opacity: 0.8; }
.tsume.answer {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.8em;
}
.tsume .line { font-size: 1.15em; }
.tsume .line > div, .tsume .notation > div { width: fit-content; margin: 0 auto; text-align: left; }
.tsume .move { white-space: nowrap; }
.tsume .more { font-size: 0.9em; text-align: left; }
.tsume h3 { margin: 0.6em 0 0; font-size: 1em; }
.tsume ul { margin: 0; padding-left: 1.3em; }
.tsume .about { margin-top: 1em; }
@media (min-width: 50rem) {
  .tsume.answer {
    grid-template-columns: minmax(0, 30rem) minmax(0, 34rem);
    justify-content: center;
    column-gap: 2rem;
  }
  .tsume .solution { grid-column: 1 / -1; }
}
"""
