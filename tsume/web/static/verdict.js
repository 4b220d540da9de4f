// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on the position: requested after each change, it says what the position is and lists its findings.
"use strict";

/** @typedef {{sfen: string, line?: string}} JudgementQuery line: the intended solution */

const TsumeVerdict = (function () {
  const { language, say, localized } = TsumePhrases;
  const { make, button, find, enable, keepingFocus } = TsumeDom;
  const { RequestError, isAbort } = TsumeErrors;
  const DELAY = 150; // milliseconds without a change
  /** @type {Record<string, string>} */
  const SIGNS = { perfect: "◎", sound: "○", unsound: "✕" };

  return class {
    /**
     * @param {HTMLElement} root
     * @param {FindingActions & {
     *   closeLine: () => void,
     *   judge: (query: JudgementQuery, options: {signal: AbortSignal, busy: () => void}) => Promise<Judgement>,
     * }} actions
     */
    constructor(root, actions) {
      this._root = root;
      this._actions = actions;
      this._headline = find(root, ".tc-headline");
      this._findings = find(root, ".tc-findings");
      this._facts = find(root, ".tc-facts");
      this._all = find(root, ".tc-all", HTMLDetailsElement);
      this._all.addEventListener("toggle", () => this._explainTerms());
      this._terms = find(root, ".tc-terms");
      this._explanation = new TsumeExplanation(find(root, ".tc-explanation", HTMLDetailsElement), {
        ...actions, changed: () => this._explainTerms(),
      });
      this._bar = find(document, ".tc-bar"); // repeats the headline at the edge of a small screen
      /** @type {AbortController | null} */
      this._pending = null;
      /** @type {number | undefined} */
      this._timer = undefined;
      /** @type {Judgement | null} */
      this.judgement = null; // of the current position
    }

    /**
     * Requests the judgement of a position and shows it; an earlier request is cancelled.
     * @param {JudgementQuery} query
     */
    request(query) {
      this._cancel();
      this._actions.closeLine();
      this._markOutdated(say("compose.judging"));
      const pending = new AbortController();
      this._pending = pending;
      this._timer = setTimeout(() => this._request(query, pending), DELAY);
    }

    /**
     * Says why a position cannot be judged.
     * @param {string[]} reasons
     */
    refuse(reasons) {
      this._cancel();
      this._show("refused", reasons.join(" "));
    }

    // Says how to begin, where there is nothing to judge.
    invite() {
      this._cancel();
      this._show("empty", say(window.TsumeComposeServer ? "compose.invitation" : "compose.invitation_alone"));
    }

    /**
     * Shows no verdict, which would give the solution away, but a button for it.
     * @param {() => void} reveal
     */
    hide(reveal) {
      this._cancel();
      this._show("quiet", say("compose.hidden"));
      this._headline.append(" ", button(say("compose.show_verdict"), reveal));
    }

    _cancel() {
      clearTimeout(this._timer);
      this._pending?.abort();
      this._pending = null;
      this.judgement = null;
      keepingFocus(this._root, () => this._explanation.withdraw());
    }

    /**
     * @param {JudgementQuery} query
     * @param {AbortController} pending
     */
    async _request(query, pending) {
      try {
        const busy = () => this._markOutdated(say("web.busy"));
        const judgement = await this._actions.judge(query, { signal: pending.signal, busy });
        if (pending !== this._pending) return;
        this.judgement = judgement;
        this._showJudgement(judgement);
        this._explanation.offer(query, judgement);
      } catch (error) {
        if (pending !== this._pending || isAbort(error)) return;
        if (!(error instanceof RequestError)) {
          this._show("failed", say("web.failed"));
          throw error;
        }
        this._show(error.phrase ? "failed" : "refused", error.message);
      }
    }

    /**
     * Keeps the verdict on the position before, marked with a text.
     * @param {string} text
     */
    _markOutdated(text) {
      this._root.dataset.state = "waiting";
      this._root.setAttribute("aria-busy", "true");
      this._headline.querySelector(".tc-mark")?.remove();
      keepingFocus(this._root, () => this._headline.querySelector("button")?.remove());
      this._headline.prepend(make("span", { class: "tc-mark" }, text));
      for (const one of this._findings.querySelectorAll("button")) enable(one, false);
      this._bar.textContent = "…";
    }

    /**
     * @param {string} state
     * @param {string} text
     */
    _show(state, text) {
      this._root.dataset.state = state;
      this._root.removeAttribute("aria-busy");
      const sign = state === "refused" ? [make("span", { class: "tc-sign" }, "✕"), " "] : [];
      keepingFocus(this._root, () => {
        this._headline.replaceChildren(...sign, text);
        this._findings.replaceChildren();
      });
      this._facts.textContent = "";
      this._all.hidden = true;
      find(this._all, "pre").textContent = "";
      this._explainTerms();
      this._bar.textContent = this._headline.textContent;
    }

    /** @param {Judgement} judgement */
    _showJudgement(judgement) {
      const grade = judgement.grade || "unresolved";
      this._show(grade, localized(judgement.headline));
      this._headline.prepend(make("span", { class: "tc-sign", "aria-hidden": "true" }, SIGNS[grade] || "？"), " ");
      this._bar.textContent = this._headline.textContent;
      this._findings.replaceChildren(...TsumeFindings.items(judgement, this._actions));
      this._facts.textContent = this._factsOf(judgement);
      const lines = judgement.texts?.[language] || [];
      this._all.hidden = !lines.length;
      find(this._all, "pre").textContent = lines.join("\n");
      this._explainTerms();
    }

    // Explains the terms in what the verdict shows.
    _explainTerms() {
      const opened = this._all.open ? [find(this._all, "pre")] : [];
      const shown = [this._headline, this._findings, ...this._explanation.shown, ...opened];
      const terms = TsumeGlossary.termsIn(shown);
      this._terms.hidden = !terms.length;
      find(this._terms, "summary").textContent = TsumeGlossary.heading(terms);
      find(this._terms, "dl").replaceChildren(...TsumeGlossary.definitions(terms));
    }

    /** @param {Judgement} judgement */
    _factsOf({ quality, likeness, themes }) {
      if (typeof quality !== "number") return "";
      const facts = [say("compose.quality", { quality: Math.round(quality) })];
      if (typeof likeness === "number") facts.push(say("compose.likeness", { likeness }));
      const names = themes.map((tag) => say(`themes.${tag}`)).join(say("web.and"));
      if (names) facts.push(say("compose.themes", { themes: names }));
      return facts.join(say("web.and"));
    }
  };
})();
