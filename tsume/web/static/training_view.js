// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of the training page around the player: modes, the problem's heading, what a result changed, progress.
"use strict";

/** @typedef {{problem: TrainingProblem, came: "solved" | "helped" | "failed" | "open"}} RunOutcome what came of a problem; helped: solved with mistakes or hints */

const TsumeTrainingView = (function () {
  const { make, find } = TsumeDom;
  const { say, localized, language } = TsumePhrases;
  const SIGNS = { solved: "◎", helped: "○", failed: "✗", open: "" };

  return class {
    /**
     * @param {HTMLElement} root
     * @param {{
     *   start: (mode: RunMode, minutes?: number) => void, next: () => void, again: () => void, answer: () => void, stop: () => void,
     *   playDay: (day: string) => void, retry: (failed: TrainingProblem[]) => void, play: (ids: number[]) => void,
     *   playList: (ids: number[], title: string) => void,
     * }} actions
     */
    constructor(root, actions) {
      this._actions = actions;
      this._root = root;
      this._play = find(root, ".tr-play");
      this._head = find(this._play, ".heading"); // with the problem on the board it stands beside it
      this._heading = find(root, ".tr-heading");
      this._status = find(root, ".tr-status");
      this._stop = find(root, "[data-act=stop]");
      this._changed = find(root, ".tr-changed");
      this._acts = find(root, ".tr-acts"); // likewise
      this._place = find(root, ".player");
      this._review = find(root, ".tr-review"); // of a run that has ended
      this._form = find(root, ".tr-wish", HTMLFormElement);
      this._isAnswered = false;
      /** @type {TrainingProblem[]} */
      this._failed = []; // in the run that has ended
      /** @type {Set<number>} */
      this._solved = new Set(); // problems solved at last
      /** @type {number[]} */
      this._waiting = []; // problems that wait to be solved without mistakes and hints
      this._history = new TsumeHistory(find(root, ".tr-history"));
      root.addEventListener("click", (event) => this._click(event));
    }

    /** @param {Event} event */
    _click(event) {
      const chosen = TsumeDom.closest(event, "[data-mode], [data-act], [data-lesson]");
      if (!chosen || chosen.hasAttribute("aria-disabled")) return;
      const { mode, act, minutes, lesson } = chosen.dataset;
      if (lesson) this._lesson(lesson.split(",").map(Number), find(chosen, "strong").textContent || "");
      else if (mode === "failed") this._actions.play(this._waiting);
      else if (mode) this._actions.start(/** @type {RunMode} */ (mode), Number(minutes) || undefined);
      else if (act === "retry") this._actions.retry(this._failed);
      else if (act === "give_up" || act === "answer") this._actions.answer();
      else if (act === "next" || act === "again" || act === "stop") this._actions[act]();
    }

    // Plays what is not solved yet of a lesson, or all of it again.
    /** @param {number[]} ids @param {string} title */
    _lesson(ids, title) {
      const left = ids.filter((id) => !this._solved.has(id));
      this._actions.playList(left.length ? left : ids, title);
    }

    // The themes, the numbers of moves and the tag that are wanted.
    get wish() {
      const values = new FormData(this._form);
      const tag = String(values.get("tag") || "").trim() || undefined;
      return { theme: values.getAll("theme").map(String), moves: values.getAll("moves").map(Number), tag, unsolved: values.has("unsolved") };
    }

    begin() {
      this._play.hidden = this._stop.hidden = false;
      this._root.classList.add("tr-playing");
      this._review.replaceChildren();
      this._changed.textContent = "";
    }

    // Shows some of the buttons; the first one is the thing to do if `isOver`.
    /** @param {string[]} acts @param {boolean} [isOver] */
    _offer(acts, isOver = true) {
      for (const one of /** @type {NodeListOf<HTMLElement>} */ (this._acts.querySelectorAll("button"))) {
        one.hidden = !acts.includes(one.dataset.act || "");
        one.classList.toggle("tp-do", isOver && one.dataset.act === acts[0]);
      }
    }

    // An empty place for the player of a problem.
    /** @param {TrainingProblem} problem @param {string} reason @param {{isTimed: boolean, isLast: boolean}} run */
    problem(problem, reason, { isTimed, isLast }) {
      const { title, mate_in: length, rating, stars, id, page } = problem;
      const link = make("a", { href: page || this._address("page", id), target: "_blank", rel: "noopener" }, page ? say("training.own") : say("web.number", { id })); // the attempt here goes on
      const difficulty = stars ? ["\u00a0· ", make("span", { class: "tr-more" }, `${say("web.difficulty")} ${rating} `), TsumePhrases.starsOf(stars), make("span", { class: "tr-more" }, ` ${say(`difficulty.stars_${stars}`)}`)] : []; // none: one's own games
      this._heading.replaceChildren(link, ...(title ? [" ", title] : []), " ",
        make("span", { class: "facts" }, length, ...difficulty, ...[say(`training.because_${reason}`)].filter(Boolean).map((because) => ` ${because}`)));
      find(this._acts, "[data-act=next]").textContent = say(isLast ? "training.stop" : "training.next");
      this._acts.classList.remove("tr-waits");
      this._isAnswered = false;
      this._offer(isTimed ? [] : ["give_up"], false);
      this._changed.textContent = isTimed ? "" : say("training.counts");
      this._place.className = isTimed ? "player tr-running" : "player";
      this._place.replaceChildren();
      return this._place;
    }

    // Puts what is said and the buttons beside the board of the player that has been made.
    place() {
      const buttons = find(this._place, ".tp-buttons");
      this._place.prepend(this._head);
      buttons.append(this._acts);
      buttons.after(this._changed);
      this._play.scrollIntoView({ block: "start" });
    }

    // After a run: its problems, those that failed first, and the way to another run.
    /** @param {{solved: number, failed: number, began: number, outcomes: RunOutcome[]}} run */
    runEnded({ solved, failed, began, outcomes }) {
      this.empty(say("training.run_end", { solved, tried: solved + failed, time: TsumePhrases.clock(Math.round((Date.now() - began) / 1000)) }));
      const [missed, helped, open, clean] = ["failed", "helped", "open", "solved"].map((wanted) => outcomes.filter(({ came }) => came === wanted));
      this._failed = [...missed, ...helped].map(({ problem }) => problem);
      this._offer(this._failed.length ? ["retry", "again"] : ["again"]);
      this._review.replaceChildren(...this._history.cards([...missed, ...helped, ...open, ...clean]));
      this._play.scrollIntoView({ block: "start" });
      find(this._acts, "button:not([hidden])").focus({ preventScroll: true });
    }

    // An address of the page with the number of a problem in place of 0.
    /** @param {"api" | "page" | "answer"} name @param {number} id */
    _address(name, id) {
      return (this._place.dataset[name] || "").replace(/\b0\b/, String(id));
    }

    /** @param {"api" | "answer"} name @param {TrainingProblem} problem */
    address(name, { id, page }) {
      return page ? "" : this._address(name, id);
    }

    // There is no problem on the board.
    /** @param {string} text */
    empty(text) {
      this._place.replaceChildren();
      this._place.before(this._head, this._changed, this._acts);
      this._root.classList.remove("tr-playing");
      this._review.replaceChildren();
      this._heading.textContent = text;
      this._status.textContent = this._changed.textContent = "";
      this._stop.hidden = true;
      this._offer([]);
    }

    // After the first mistake or hint: what it changed, and the way on without more tries.
    /** @param {Recorded | null} [recorded] */
    settled(recorded) {
      if (recorded) this._changed.textContent = TsumeAttempts.changeText(recorded);
      if (!this._isAnswered) this._offer(["next", "answer"], false);
    }

    // Unfolds the answer beside the board; where no address has it, the page makes it of the tree.
    /** @param {TrainingProblem} problem @param {InstanceType<typeof TsumePlayer>} player */
    answer(problem, player) {
      const text = player.line.map((move) => move.text[language]).join(" ") + (player.line.length < problem.length ? " …" : "");
      const address = this.address("answer", problem);
      const details = make("details", { class: "answer", "data-scripts": this._place.dataset.scripts || "" }, make("summary", {}, say("training.answer_title")));
      if (address) details.dataset.answer = address;
      else details.append(make("div", { class: "solution" }, make("p", { class: "line" }, text), make("dl")));
      find(this._place, ".tp-side").append(details);
      new TsumeAnswer(details, { ...problem, address: this.address("api", problem) }, { opened: () => {}, line: async () => player.line, look: (shown) => player.look(shown) }).open();
      this._isAnswered = true;
      this._offer(["next"]);
    }

    // After an attempt: what it changed, and the way on.
    /** @param {Recorded | null} recorded */
    ended(recorded) {
      this._offer(this._isAnswered ? ["next"] : ["next", "answer"]);
      find(this._acts, "[data-act=next]").focus({ preventScroll: true });
      if (recorded) this._changed.textContent = [TsumeAttempts.changeText(recorded), say("training.due_at", { date: this.dateText(recorded.due) })].join(" ");
    }

    // After a mistake in a run, which goes on by itself in a moment.
    failed() {
      this._offer(["next"]);
      this._acts.classList.add("tr-waits");
    }

    /** @param {string} text */
    changed(text) {
      this._changed.textContent = text;
    }

    /** @param {string} text @param {RunOutcome[]} [outcomes] signs of a run's problems stand below it */
    status(text, outcomes = []) {
      const signs = outcomes.map(({ came }) => make("span", { class: `tr-${came}` }, SIGNS[came]));
      this._status.replaceChildren(text, ...(signs.length ? [make("span", { class: "tr-row", "aria-hidden": "true" }, ...signs)] : []));
    }

    /** @param {string} time */
    dateText(time) {
      const [date, tomorrow] = [new Date(time), new Date()];
      tomorrow.setDate(tomorrow.getDate() + 1);
      return say(TsumeDays.text(date) === TsumeDays.text(tomorrow) ? "training.tomorrow" : "training.on_day", { date: TsumeCharts.dayText(date) });
    }

    /** @param {Identity} identity */
    person({ person, keeps }) {
      const place = find(this._root, ".tr-rating");
      if (!person) {
        place.textContent = say("training.nobody");
        return;
      }
      const rating = TsumeAttempts.ratingText(person);
      find(this._root, "[data-mode=training] span").textContent = say("training.training_at", { rating: person.rating });
      if (keeps === "browser") place.textContent = say("training.rating_here", { rating });
      else place.textContent = person.name ? say("training.rating_of", { name: person.name, rating }) : rating;
    }

    /** @param {Progress} progress */
    progress(progress) {
      const { due, tried, runs, history, days, by_length, by_theme } = progress;
      this._history.update(progress);
      this._waiting = tried.filter(({ failed }) => failed).map(({ problem }) => problem);
      this._solved = new Set(progress.solved_ids);
      for (const one of /** @type {NodeListOf<HTMLElement>} */ (this._root.querySelectorAll("[data-lesson]"))) {
        const ids = (one.dataset.lesson || "").split(",").map(Number);
        find(one, ".tr-done").textContent = `${ids.filter((id) => this._solved.has(id)).length} / ${ids.length}`;
      }
      const later = Math.max(tried.length - due, 0);
      find(this._root, "[data-mode=review] span").textContent = say("training.review_count", { due, later });
      find(this._root, "[data-mode=failed] strong").textContent = say("training.list_of", { list: say("training.list_failed"), count: this._waiting.length });
      TsumeDom.enable(find(this._root, "[data-mode=review]"), due > 0);
      TsumeDom.enable(find(this._root, "[data-mode=failed]"), this._waiting.length > 0);
      const best = /** @type {const} */ (["timed", "ten_minutes", "survival"]).map((mode) => runs[mode] ? say(`training.best_${mode}`, { best: runs[mode] }) : "");
      find(this._root, ".tr-charts").replaceChildren(
        history.length > 1 ? TsumeCharts.ratings(history) : TsumeCharts.recent(tried), make("p", {}, best.filter(Boolean).join(" ")),
        make("div", { class: "tr-tables" },
          TsumeCharts.calendar(days, new Date(), this._actions.playDay),
          ...table("training.by_length", ["tried", "solved", "clean"], by_length.map(({ length, ...tally }) => [say("web.mate_in", { length }), tally])),
          ...table("training.by_theme", ["solved", "clean"], by_theme.map(({ name, ...tally }) => [localized(name), tally]))));
    }
  };

  /** @param {string} phrase @param {("tried" | "solved" | "clean")[]} columns @param {[string, Tally][]} rows */
  function table(phrase, columns, rows) {
    return rows.length ? [TsumeCharts.tallies(say(phrase), columns, rows)] : [];
  }
})();
