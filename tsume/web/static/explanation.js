// SPDX-License-Identifier: GPL-3.0-or-later
// The explanation below a verdict that has a mate: how each answer is mated and why other checks fail. The solver in the
// browser is asked for it when it is opened; a page without one has none.
"use strict";

const TsumeExplanation = (function () {
  const { language, say } = TsumePhrases;
  const { find } = TsumeDom;
  const { RequestError, isAbort } = TsumeErrors;
  const SECONDS = 60;

  return class {
    /**
     * @param {HTMLDetailsElement} place
     * @param {FindingActions & {changed: () => void}} actions changed is called when other words are shown
     */
    constructor(place, actions) {
      this._place = place;
      this._actions = actions;
      this._status = find(place, ".tc-explained");
      this._turns = find(place, ".tc-turns");
      /** @type {{query: JudgementQuery, judgement: Judgement} | null} */
      this._offered = null;
      /** @type {AbortController | null} */
      this._running = null;
      place.addEventListener("toggle", () => {
        if (place.open) this._ask();
        else this._stop();
        actions.changed();
      });
    }

    // The elements whose words are shown.
    get shown() {
      return this._place.open ? [this._turns] : [];
    }

    /**
     * Offers the explanation of a position that was judged, if it has a mate and there is a solver.
     * @param {JudgementQuery} query
     * @param {Judgement} judgement
     */
    async offer(query, judgement) {
      this.withdraw();
      if (!judgement.line.length) return;
      const offered = { query, judgement };
      this._offered = offered;
      try {
        await TsumeLocalSolver.start();
      } catch {
        return; // the server has judged
      }
      if (this._offered === offered) this._place.hidden = false;
    }

    // Removes the explanation and stops the search for it.
    withdraw() {
      this._offered = null;
      this._stop();
      this._place.hidden = true;
      this._place.open = false;
      this._turns.replaceChildren();
    }

    _stop() {
      this._running?.abort();
      this._running = null;
      this._tell("");
    }

    async _ask() {
      if (!this._offered || this._turns.childElementCount) return;
      const { query: { sfen, line }, judgement } = this._offered;
      const running = new AbortController();
      this._running = running;
      this._tell(say("compose.explaining", { seconds: SECONDS }), true);
      const fields = { sfen, languages: [language], seconds: SECONDS, ...(line ? { line: line.split(" ") } : {}) };
      try {
        const explanation = await TsumeLocalSolver.askApart("explain", fields, { signal: running.signal });
        if (this._running === running) this._show(explanation, sfen, judgement);
      } catch (error) {
        if (this._running !== running || isAbort(error)) return;
        const isKnown = error instanceof RequestError;
        this._tell(isKnown ? error.message : say("web.failed")); // opening it again tries again
        if (!isKnown) throw error;
      }
    }

    /** @param {Explanation} explanation @param {string} sfen @param {Judgement} judgement */
    _show({ complete, turns }, sfen, judgement) {
      this._tell(complete ? "" : say("compose.explained_partly"));
      this._turns.replaceChildren(...new TsumeExplainedTurns(sfen, judgement, this._actions).items(turns));
      this._actions.changed();
    }

    /** @param {string} text @param {boolean} [busy] */
    _tell(text, busy = false) {
      this._status.textContent = text;
      this._turns.setAttribute("aria-busy", String(busy));
    }
  };
})();
