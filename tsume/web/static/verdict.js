// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on the position: requested after each change, it says what the position is and lists its findings.
"use strict";

/** @typedef {{sfen: string, line?: string}} JudgementQuery line: the intended solution */
/** @typedef {JudgementQuery & {seconds?: number}} TimedQuery with another limit than the usual one */

const TsumeVerdict = (function () {
  const { language, say, localized, plain } = TsumePhrases;
  const { make, button, find, enable, keepingFocus } = TsumeDom;
  const { RequestError, isAbort } = TsumeErrors;
  const [DELAY, PATIENCE] = [150, 2]; // milliseconds without a change; seconds after which they are shown
  const VERDICTS = ["perfect", "sound", "unsound", "unresolved", "refused"]; // states that say something of a position
  const [MORE_SECONDS, LONGER] = [60, 5]; // of a search that is to take longer; the factor of the next one
  /** @type {Record<string, string>} */
  const SIGNS = { perfect: "◎", sound: "○", unsound: "✕", refused: "✕", rejected: "✕", unresolved: "？" };

  return class {
    /**
     * @param {HTMLElement} root
     * @param {FindingActions & {
     *   closeLine: () => void,
     *   judge: (query: TimedQuery, options: {signal: AbortSignal, busy: () => void, begun: () => void}) => Promise<Judgement>,
     *   isLoading: () => boolean,
     * }} actions `begun` is to be called when judging begins, if the solver was loading (`isLoading`)
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
      this._bar = find(document, ".tc-bar [data-act=verdict]"); // repeats the headline at the edge of a small screen
      /** @type {AbortController | null} */
      this._pending = null;
      /** @type {number | undefined} */
      this._timer = undefined;
      /** @type {number | undefined} */
      this._clock = undefined;
      this._hasVerdict = false; // of a position, be it the one before
      /** @type {Judgement | null} */
      this.judgement = null; // of the current position
    }

    // Requests the judgement of a position and shows it; an earlier request is cancelled.
    /** @param {TimedQuery} query */
    request(query) {
      this._cancel();
      this._actions.closeLine();
      const pending = new AbortController();
      this._pending = pending;
      if (this._actions.isLoading()) this._markOutdated(say("compose.loading_solver"));
      else this._begin(query);
      this._timer = setTimeout(() => this._request(query, pending), DELAY);
    }

    // Says that a position is being judged; after some seconds they are counted, and the user can stop.
    /** @param {TimedQuery} query */
    _begin(query) {
      this._markOutdated(say(this._hasVerdict ? "compose.judging_changed" : "compose.judging"));
      this._stopClock();
      const began = performance.now();
      this._clock = setInterval(() => this._count(query, Math.round((performance.now() - began) / 1000)), 1000);
    }

    /** @param {TimedQuery} query @param {number} seconds */
    _count(query, seconds) {
      if (seconds < PATIENCE) return;
      const mark = find(this._headline, ".tc-mark");
      if (!mark.querySelector("button")) {
        mark.append(make("span", { class: "tc-seconds", "aria-hidden": "true" }), // screen readers would read each
          button(say("compose.stop"), () => this._stop(query, find(mark, ".tc-seconds").textContent || ""), {
            "aria-label": say("compose.stop_judging"),
          }));
      }
      const text = say("compose.seconds", { seconds });
      find(mark, ".tc-seconds").textContent = text;
      this._bar.textContent = `… ${text}`;
    }

    /**
     * Stops judging, and offers to begin again.
     * @param {TimedQuery} query
     * @param {string} seconds
     */
    _stop(query, seconds) {
      this._cancel();
      this._show("stopped", say("compose.judging_stopped", { seconds }));
      const again = button(say("compose.judge_again"), () => this.request(query));
      this._headline.append(" ", again);
      again.focus({ preventScroll: true });
    }

    // Says why a position cannot be judged.
    /** @param {string[]} reasons */
    refuse(reasons) {
      this._cancel();
      this._show("refused", reasons.join(" "));
    }

    /**
     * Says why a text cannot be read: the verdict on the board's position is not one on that text.
     * @param {string} reason
     * @param {() => void} back shows the verdict on the position again
     */
    reject(reason, back) {
      this._cancel();
      this._show("rejected", reason);
      this._headline.append(" ", make("span", { class: "tc-beside" }, say("compose.not_loaded"), " ", button(say("compose.judge_board"), back)));
    }

    // Says how to begin, where there is nothing to judge.
    invite() {
      this._cancel();
      this._show("empty", say("compose.invitation"));
      this._headline.append(" ", make("span", { class: "tc-dropping" }, say("compose.drop_file")));
    }

    // Shows no verdict, which would give the solution away, but a button for it.
    /** @param {() => void} reveal */
    hide(reveal) {
      this._cancel();
      this._show("quiet", say("compose.hidden"));
      this._headline.append(" ", button(say("compose.show_verdict"), reveal));
    }

    _stopClock() {
      clearInterval(this._clock);
      this._clock = undefined;
    }

    _cancel() {
      clearTimeout(this._timer);
      this._stopClock();
      this._pending?.abort();
      this._pending = null;
      this.judgement = null;
      keepingFocus(this._root, () => this._explanation.withdraw());
    }

    /** @param {TimedQuery} query @param {AbortController} pending */
    async _request(query, pending) {
      const began = performance.now();
      try {
        const busy = () => this._markOutdated(say("web.busy"));
        const begun = () => { if (pending === this._pending && !this._clock) this._begin(query); };
        const judgement = await this._actions.judge(query, { signal: pending.signal, busy, begun });
        if (pending !== this._pending) return;
        this.judgement = judgement;
        this._showJudgement(judgement);
        if (judgement.unresolved) this._offerMore(query, Math.round((performance.now() - began) / 1000));
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
     * Says that time was too short for a verdict, and offers more of it.
     * @param {TimedQuery} query
     * @param {number} seconds
     */
    _offerMore(query, seconds) {
      const more = query.seconds ? query.seconds * LONGER : MORE_SECONDS;
      this._headline.append(" ", say("compose.unresolved_after", { seconds }), " ",
        button(say("compose.search_longer", { seconds: more }), () => this.request({ ...query, seconds: more })));
    }

    // Keeps the verdict on the position before, if there is one, marked with a text.
    /** @param {string} text */
    _markOutdated(text) {
      this._root.dataset.state = "waiting";
      this._root.setAttribute("aria-busy", "true");
      keepingFocus(this._root, () => {
        if (!this._hasVerdict) this._headline.replaceChildren();
        this._headline.querySelector(".tc-mark")?.remove();
      });
      this._headline.prepend(make("span", { class: "tc-mark" }, text));
      for (const one of this._root.querySelectorAll(".tc-findings button, .tc-main")) enable(/** @type {HTMLElement} */ (one), false);
      this._bar.textContent = "…";
      this._bar.dataset.state = "waiting";
    }

    /** @param {string} state @param {string} text */
    _show(state, text) {
      this._stopClock();
      this._hasVerdict = VERDICTS.includes(state);
      this._root.dataset.state = state;
      this._root.removeAttribute("aria-busy");
      const sign = SIGNS[state] ? [make("span", { class: "tc-sign" }, SIGNS[state]), " "] : [];
      keepingFocus(this._root, () => {
        this._headline.replaceChildren(...sign, text);
        this._findings.replaceChildren();
      });
      this._facts.textContent = "";
      this._all.hidden = true;
      find(this._all, "pre").textContent = "";
      this._explainTerms();
      this._bar.textContent = this._headline.textContent;
      this._bar.dataset.state = state;
    }

    /** @param {Judgement} judgement */
    _showJudgement(judgement) {
      this._show(judgement.grade || "unresolved", headOf(judgement));
      if (judgement.grade && judgement.line.length) this._headline.append(" ", this._mainLine(judgement));
      this._findings.replaceChildren(...TsumeFindings.items(judgement, this._actions));
      this._facts.textContent = this._factsOf(judgement);
      const lines = (judgement.texts?.[language] || []).map(plain);
      if (typeof judgement.likeness === "number") lines.push(say("compose.likeness", { likeness: judgement.likeness }));
      this._all.hidden = !lines.length;
      find(this._all, "pre").textContent = lines.join("\n");
      this._explainTerms();
    }

    /** @param {Judgement} judgement */
    _mainLine({ grade, length, headline, line }) {
      const title = say("compose.main_line");
      const moves = plain(localized(headline)).split(": ")[1] || title;
      const text = grade === "unsound" ? `${say("web.mate_in", { length: length ?? "" })}: ${moves}` : moves;
      const made = button("", () => this._actions.step(line, title), { class: "tc-main", "aria-label": `${title}: ${text}` });
      made.append(...text.split(" ").flatMap((word) => [make("span", { class: "move" }, word), " "]));
      return made;
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
    _factsOf({ grade, quality, themes }) {
      if (typeof quality !== "number" || grade === "unsound") return "";
      const names = themes.map((tag) => say(`themes.${tag}`)).join(say("web.and"));
      const facts = [say("compose.quality_of_100", { quality: Math.round(quality) })];
      if (names) facts.push(say("compose.themes", { themes: names }));
      return facts.join("\n");
    }
  };

  /** @param {Judgement} judgement */
  function headOf({ grade, length, faults }) {
    if (grade !== "unsound") return say(`compose.head_${grade || "unresolved"}`, { length: length ?? "" });
    const whole = ["ILLEGAL_START", "NO_MATE"].find((fault) => faults.includes(fault));
    if (whole) return say(`compose.head_${whole}`);
    const named = ["COOK", "LEFTOVER", "EARLY_MATE", "WRONG_LENGTH"].filter((fault) => faults.includes(fault));
    return say("compose.head_unsound", { faults: named.map((fault) => say(`compose.fault_${fault}`)).join(say("web.and")) });
  }
})();
