// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of the training page around the player: modes, the problem's heading, what a result changed, progress.
"use strict";

/** @typedef {{problem: TrainingProblem, came: "solved" | "failed" | "open"}} RunOutcome what came of a problem of a run */

const TsumeTrainingView = (function () {
  const { make, find } = TsumeDom;
  const { say, localized } = TsumePhrases;

  return class {
    /**
     * @param {HTMLElement} root
     * @param {{
     *   start: (mode: RunMode) => void, next: () => void, again: () => void, giveUp: () => void, stop: () => void, playDay: (day: string) => void,
     *   retry: (failed: TrainingProblem[]) => void, play: (ids: number[]) => void,
     * }} actions
     */
    constructor(root, actions) {
      this._actions = actions;
      this._root = root;
      this._play = find(root, ".tr-play");
      this._heading = find(root, ".tr-heading");
      this._status = find(root, ".tr-status");
      this._changed = find(root, ".tr-changed");
      this._place = find(root, ".player");
      this._review = find(root, ".tr-review"); // of a run that has ended
      this._buttons = {
        next: find(root, "[data-act=next]"), again: find(root, "[data-act=again]"), retry: find(root, "[data-act=retry]"), giveUp: find(root, "[data-act=give_up]"), stop: find(root, "[data-act=stop]"),
      };
      this._answer = find(root, ".tr-answer");
      this._form = find(root, ".tr-wish", HTMLFormElement);
      /** @type {TrainingProblem[]} */
      this._failed = []; // in the run that has ended
      this._history = new TsumeHistory(find(root, ".tr-history"), { address: (name, id) => this._address(name, id), again: (ids) => actions.play(ids) });
      root.addEventListener("click", (event) => this._click(event));
    }

    /** @param {Event} event */
    _click(event) {
      const chosen = TsumeDom.closest(event, "[data-mode], [data-act]");
      if (!chosen) return;
      const { mode, act } = chosen.dataset;
      if (mode) this._actions.start(/** @type {RunMode} */ (mode));
      else if (act === "next") this._actions.next();
      else if (act === "again") this._actions.again();
      else if (act === "retry") this._actions.retry(this._failed);
      else if (act === "give_up") this._actions.giveUp();
      else if (act === "stop") this._actions.stop();
    }

    // The themes, the numbers of moves and the tag that are wanted.
    get wish() {
      const values = new FormData(this._form);
      const tag = String(values.get("tag") || "").trim() || undefined;
      return { theme: values.getAll("theme").map(String), moves: values.getAll("moves").map(Number), tag, unsolved: values.has("unsolved") };
    }

    /** @param {Mode} mode */
    begin(mode) {
      for (const one of /** @type {NodeListOf<HTMLElement>} */ (this._root.querySelectorAll("[data-mode]"))) {
        one.setAttribute("aria-pressed", String(one.dataset.mode === mode));
      }
      this._play.hidden = false;
      this._review.replaceChildren();
      this._buttons.again.hidden = this._buttons.retry.hidden = true;
      this._changed.textContent = "";
    }

    /**
     * An empty place for the player of a problem.
     * @param {TrainingProblem} problem
     * @param {string} reason
     */
    problem(problem, reason) {
      const { title, mate_in: length, rating, stars } = problem;
      const difficulty = stars && `${rating} ${"★".repeat(stars)} ${say(`difficulty.stars_${stars}`)}`; // 0: one's own games
      const others = [title, length, difficulty, say(`training.because_${reason}`)].filter(Boolean);
      const link = this._link(problem);
      link.setAttribute("target", "_blank"); // the attempt here goes on
      link.setAttribute("rel", "noopener");
      this._heading.replaceChildren(link, ` ${others.join(" ")}`);
      this._answer.setAttribute("href", problem.page || this._address("page", problem.id) + "#answer");
      this._setEnded(false);
      this._changed.textContent = "";
      this._place.replaceChildren();
      return this._place;
    }

    /**
     * The number of a problem, which leads to its page.
     * @param {TrainingProblem} problem
     */
    _link({ id, page }) {
      return page ? make("a", { href: page }, say("training.own")) : make("a", { href: this._address("page", id) }, say("web.number", { id }));
    }

    /**
     * After a run: its problems, those that failed first, and the way to another run.
     * @param {{solved: number, outcomes: RunOutcome[]}} run
     */
    runEnded({ solved, outcomes }) {
      this.empty(say("training.run_end", { solved }));
      const [failed, open, others] = ["failed", "open", "solved"].map((wanted) => outcomes.filter(({ came }) => came === wanted));
      this._failed = failed.map(({ problem }) => problem);
      this._buttons.again.hidden = false;
      this._buttons.retry.hidden = !failed.length;
      this._review.replaceChildren(...this._history.cards([...failed, ...open, ...others]));
      this.reveal();
      this._buttons.again.focus({ preventScroll: true });
    }

    // Scrolls the problem into view.
    reveal() {
      this._play.scrollIntoView({ block: "start" });
    }

    /**
     * An address of the page with the number of a problem in place of 0.
     * @param {"api" | "page" | "picture"} name
     * @param {number} id
     */
    _address(name, id) {
      return (this._place.dataset[name] || "").replace(/\b0\b/, String(id));
    }

    /** @param {TrainingProblem} problem */
    apiAddress({ id, page }) {
      return page ? "" : this._address("api", id);
    }

    // There is no problem on the board.
    /** @param {string} text */
    empty(text) {
      this._place.replaceChildren();
      this._review.replaceChildren();
      this._heading.textContent = text;
      this._buttons.next.hidden = this._buttons.giveUp.hidden = this._answer.hidden = true;
    }

    /** @param {boolean} ended */
    _setEnded(ended) {
      this._buttons.next.hidden = !ended;
      this._answer.hidden = !ended;
      this._buttons.giveUp.hidden = ended;
    }

    /**
     * After an attempt: what it changed, and the way on.
     * @param {Recorded | null} recorded
     */
    ended(recorded) {
      this._setEnded(true);
      this._buttons.next.focus({ preventScroll: true });
      if (recorded) this._changed.textContent = [TsumeAttempts.changeText(recorded), say("training.due_at", { date: dayOf(recorded.due) })].join(" ");
    }

    /** @param {string} text */
    changed(text) {
      this._changed.textContent = text;
    }

    /** @param {string} text */
    status(text) {
      this._status.textContent = text;
    }

    /**
     * @param {boolean} runs a run is going on: it can be stopped, and problems follow each other by themselves
     */
    running(runs) {
      this._buttons.stop.hidden = !runs;
      this._buttons.next.hidden = true;
      if (runs) this._buttons.giveUp.hidden = this._answer.hidden = true;
    }

    /** @param {Identity} identity */
    person({ person, keeps }) {
      const place = find(this._root, ".tr-rating");
      if (!person) {
        place.textContent = say("training.nobody");
        return;
      }
      const rating = TsumeAttempts.ratingText(person);
      if (keeps === "browser") place.textContent = say("training.rating_here", { rating });
      else place.textContent = person.name ? say("training.rating_of", { name: person.name, rating }) : rating;
    }

    /** @param {Progress} progress */
    progress(progress) {
      this._history.update(progress);
      find(this._root, "[data-mode=review]").textContent = say("training.review", { due: progress.due });
      const { timed, survival } = progress.runs;
      const runs = [
        timed === null ? "" : say("training.best_timed", { best: timed }),
        survival === null ? "" : say("training.best_survival", { best: survival }),
      ].filter(Boolean).join(" ");
      find(this._root, ".tr-charts").replaceChildren(
        TsumeCharts.ratings(progress.history), make("p", {}, runs),
        make("div", { class: "tr-tables" },
          TsumeCharts.calendar(progress.days, new Date(), this._actions.playDay),
          ...table("training.by_length", progress.by_length.map(({ length, ...tally }) => [say("web.mate_in", { length }), tally])),
          ...table("training.by_theme", progress.by_theme.map(({ name, ...tally }) => [localized(name), tally]))));
    }
  };

  /**
   * @param {string} phrase
   * @param {[string, Tally][]} rows
   */
  function table(phrase, rows) {
    return rows.length ? [TsumeCharts.tallies(say(phrase), rows)] : [];
  }

  /** @param {string} time */
  function dayOf(time) {
    return TsumeDays.text(new Date(time));
  }
})();
