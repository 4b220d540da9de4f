// SPDX-License-Identifier: GPL-3.0-or-later
// Solving a problem: the user plays checks, the reply tree (docs/tree.md, docs/board.md) answers.
"use strict";

const TsumePlayer = (function () {
  const { say, language } = TsumePhrases;
  const { matchingChecks, isMove } = TsumeNotation;
  const ANSWER_DELAY = 20; // milliseconds: the check is drawn before the answer
  /** @type {Record<string, string>} */
  const ANSWERED = { later: "web.answered_late", as_soon: "web.answered_also" }; // by the rank of a check

  return class {
    /**
     * Builds itself in `root`; `open` starts the play. `ended` is called once, with the first result; `mistaken` after
     * each wrong check.
     * @param {HTMLElement} root
     * @param {{
     *   sfen: string, ended: (result: Result) => void, mistaken?: () => void, recording?: AttemptRecording,
     *   shown?: (attempt: InstanceType<typeof TsumeAttempt>) => void,
     * }} options
     *   recording: keeps the attempt as it happens; one that it has kept goes on; shown: called after each change
     */
    constructor(root, { sfen, ended, mistaken = () => {}, recording, shown = () => {} }) {
      /** @type {LoadMore} */
      this._more = async () => null; // before a problem is opened
      /** @type {((result: Result) => void) | null} */
      this._onEnd = ended;
      this._onMistake = mistaken;
      this._recording = recording;
      this._onShown = shown;
      /** @type {((usi: string) => void) | null} */
      this._onPlayed = null; // while another position is shown
      this._attempt = new TsumeAttempt(sfen);
      /** @type {number | undefined} */
      this._timer = undefined;
      this._view = new TsumePlayerView(root, {
        pause: (isHidden) => this._attempt.pause(isHidden),
        back: () => this._back(),
        hint: () => this._hint(),
        restart: () => this._restart(),
        resume: () => this._resume(),
        type: (text) => this._type(text),
      });
      this._view.board.addEventListener("move", (event) => this._check(event.detail));
      this._view.board.addEventListener("say", (event) => this._view.message(event.detail));
      this._view.board.addEventListener("refuse", () => this._say("web.no_check", {}, "refused"));
      this._show();
      this._say("web.loading");
    }

    // Loads the tree of a problem, and more of it when it is needed. Rejects after it has said why.
    /** @param {PlayedProblem} problem */
    async open(problem) {
      const { load, loadAfter } = window.TsumeTrees;
      this._more = (moves) => loadAfter(problem, moves);
      try {
        const tree = await load(problem);
        if (tree) this._load(tree);
      } catch (error) {
        this._say(error instanceof Error ? error.message : "web.failed");
        throw error;
      }
    }

    /** @param {ReplyTree} tree */
    _load(tree) {
      this._attempt.load(tree);
      this._restart();
      if (this._recording?.resume(this._attempt)) this._goOn();
      this._view.enableInput();
      if (tree.result !== "mate") this._say(tree.result === "no_mate" ? "web.no_mate" : "web.unresolved");
    }

    // Shows an attempt that goes on where it was.
    _goOn() {
      const { mistakes, hints } = this._attempt;
      this._show();
      this._say("web.resumed", { mistakes, hints });
    }

    // The moves of the solution; none before the tree is loaded.
    get line() {
      return this._attempt.line;
    }

    // Shows another position, until the attempt goes on by "Undo" or "Restart".
    /** @param {Shown} shown */
    look(shown) {
      clearTimeout(this._timer);
      this._resume();
      this._onPlayed = shown.played;
      if (!shown.played) this._attempt.restart();
      this._view.look(shown.played ? shown : { ...shown, checks: this._attempt.turn?.checks.map(({ move }) => move) || [] });
    }

    get isGoingOn() {
      return this._onEnd !== null;
    }

    // Ends the attempt without a solution, if it has not ended.
    giveUp() {
      this._end({ ...this._attempt.result, isSolved: false });
    }

    // Removes the player from the page.
    close() {
      clearTimeout(this._timer);
      this._view.close();
    }

    /** @param {Result} result */
    _end(result) {
      this._onEnd?.(result);
      this._onEnd = null;
    }

    /** @param {string} phrase @param {Record<string, string | number>} [parts] @param {MessageState} [state] */
    _say(phrase, parts, state) {
      this._view.message(say(phrase, parts), state);
    }

    /** @param {ShowOptions} [marks] */
    _show(marks = {}) {
      this._view.show(this._attempt, marks);
      if (this._onEnd) this._recording?.note(this._attempt);
      this._onShown(this._attempt);
    }

    // --- playing ------------------------------------------------------------------------------------

    /** @param {string} usi */
    _check(usi) {
      if (this._onPlayed) {
        this._onPlayed(usi);
        return;
      }
      const check = this._attempt.check(usi);
      if (check.result === "open") {
        this._show();
        this._settle(check);
      } else if (this._attempt.isSolved) {
        this._solve(check);
      } else {
        this._view.message("");
        this._show();
        clearTimeout(this._timer);
        this._timer = setTimeout(() => this._answer(check), ANSWER_DELAY);
      }
    }

    // Plays a check whose result is open as soon as it is known what it does.
    /** @param {TreeCheck} check */
    async _settle(check) {
      const tree = await this._follow([check.move]);
      if (!tree) return;
      const settled = this._attempt.graft(check, tree);
      if (settled.result !== "open") this._check(settled.move);
      else this._say("web.open", { check: check.text[language] });
    }

    /**
     * What follows the moves played and these ones; null if it is not wanted any more or cannot be loaded.
     * @param {string[]} [moves]
     * @returns {Promise<ReplyTree | null>}
     */
    async _follow(moves = []) {
      const { current, moves: played } = this._attempt;
      this._say("web.loading");
      try {
        const tree = await this._more([...played.map(({ move }) => move || ""), ...moves]);
        return this._attempt.current === current ? tree : null;
      } catch (error) {
        if (this._attempt.current !== current) return null;
        this._say(error instanceof Error ? error.message : "web.failed");
        if (current.turn === null) this._view.offerRetry(true);
        return null;
      }
    }

    /** @param {TreeCheck} check */
    async _answer(check) {
      this._attempt.answer(check);
      if (check.result === "mates" && this._attempt.current.turn === null) {
        this._show();
        const tree = await this._follow();
        if (!tree) return;
        this._attempt.graft(check, tree);
      }
      const { text, turn } = this._attempt.current;
      if (check.result === "fails") {
        this._show({ arrows: [check.answer], wrong: check.move.slice(2, 4) });
        this._say("web.wrong", { why: check.why[language] }, "wrong");
        this._view.explain(check.proof_text?.[language]);
        TsumeSettings.play("wrong");
        this._view.offerRetry(true);
        this._onMistake();
      } else if (check.result === "mates") {
        this._show();
        const phrase = turn === null ? "web.cut" : ANSWERED[check.rank] || "web.answered";
        this._say(phrase, { check: check.text[language], answer: text[language] });
        if (turn === null) this._view.offerRetry(true);
      }
    }

    /** @param {TreeCheck} check */
    _solve(check) {
      this._show();
      this._view.solved(check.text[language], this._attempt.result, check.result === "mates" && check.answers.length > 0);
      TsumeSettings.play("mate");
      this._end(this._attempt.result);
    }

    /** @param {string} text */
    _type(text) {
      this._resume();
      const found = matchingChecks(text, this._attempt.turn?.checks || []);
      if (found.length === 1) {
        this._check(found[0].move);
        this._view.clearInput();
      } else {
        this._say(found.length ? "web.typed_which" : isMove(text) ? "web.no_check" : "web.unreadable_move", { text }, "refused");
      }
    }

    // --- help ---------------------------------------------------------------------------------------

    // Shows the piece to move first, then also its square, then the move.
    _hint() {
      this._resume();
      const shown = TsumeHints.next(this._attempt);
      if (!shown) return;
      this._show(shown.marks);
      this._say(shown.phrase, shown.parts, "hint");
    }

    // Takes back the last check with its answer; a pending answer is cancelled.
    _back() {
      clearTimeout(this._timer);
      this._view.offerRetry(false);
      const wasElsewhere = this._onPlayed !== null;
      this._onPlayed = null;
      if (!wasElsewhere && !this._attempt.back()) {
        this._say("web.at_start");
        return;
      }
      this._show();
      this._say("web.taken_back");
    }

    // Before the next input, takes back a move that cannot be played on, if there is one; what was said of it stays.
    _resume() {
      if (!this._view.board.resume) return;
      this._view.offerRetry(false);
      this._attempt.back();
      this._show();
      this._view.addMessage(say("web.taken_back"));
    }

    _restart() {
      clearTimeout(this._timer);
      this._onPlayed = null;
      this._view.offerRetry(false);
      this._attempt.restart();
      this._show();
      this._say("web.your_turn");
    }
  };
})();
