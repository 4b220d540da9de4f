// SPDX-License-Identifier: GPL-3.0-or-later
// The elements around the board on which a problem is solved: messages, buttons, moves, a field to type moves.
"use strict";

/** @typedef {"back" | "hint" | "restart"} PlayerAction */
/** @typedef {"" | "wrong" | "refused" | "hint" | "mate" | "helped"} MessageState */

const TsumePlayerView = (function () {
  const { make, button, enable, isTyping } = TsumeDom;
  const { say, language } = TsumePhrases;
  const EXPLAINED = ["INTERPOSITION", "FUTILE_INTERPOSITION"]; // terms of messages that not everybody knows
  /** @type {Record<string, PlayerAction>} */
  const KEYS = { h: "hint", u: "back", 0: "restart" };

  return class {
    /**
     * @param {HTMLElement} root
     * @param {Record<PlayerAction, () => void> & {pause: (isHidden: boolean) => void, resume: () => void, type: (text: string) => void}} actions
     *   pause follows whether the page is hidden; resume takes back what cannot be played on, and is called before the next input
     */
    constructor(root, actions) {
      this._closed = new AbortController();
      this.board = /** @type {InstanceType<typeof TsumeBoard>} */ (document.createElement("tsume-board"));
      this._message = make("p", { class: "tp-said", role: "status", "aria-live": "polite" });
      this._result = make("p", { class: "tp-result" });
      this._moves = make("ol", { class: "tp-moves", "aria-label": say("web.moves_played") });
      this._buttons = {
        back: button(say("web.back"), () => this._act("back")),
        hint: button(say("web.hint"), () => this._act("hint")),
        restart: button(say("web.restart"), () => this._act("restart")),
      };
      this._actions = actions;
      this._why = make("div", { class: "tp-why tp-proof" });
      this._terms = make("div", { class: "tp-why tp-terms" });
      const { back, hint, restart } = this._buttons;
      this._input = make("input", { type: "text", maxlength: 12, autocomplete: "off", spellcheck: "false", disabled: "" });
      root.append(this.board, make("div", { class: "tp-side" },
        this._message, this._why, this._terms, this._result,
        make("div", { class: "tp-buttons" }, back, hint, restart), this._moves,
        make("div", { class: "tp-more" }, this._form(actions.type), TsumeSettingsView.panel(),
          make("details", { class: "tp-keys" }, make("summary", {}, say("web.keys")), make("p", {}, say("web.keys_text"))))));
      const { signal } = this._closed;
      document.addEventListener("keydown", (event) => this._pressKey(event), { signal });
      document.addEventListener("visibilitychange", () => actions.pause(document.hidden), { signal });
    }

    // Removes the elements, and what listens to keys.
    close() {
      this._closed.abort();
      this.board.parentElement?.replaceChildren();
    }

    /** @param {PlayerAction} action */
    _act(action) {
      if (!this._buttons[action].hasAttribute("aria-disabled") && this._buttons[action].offsetParent) this._actions[action](); // keys: only of buttons that are shown
    }

    /** @param {(text: string) => void} type */
    _form(type) {
      const form = make("form", { class: "tp-typed" }, make("label", {}, say("web.typed"), this._input));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        type(this._input.value);
      });
      return form;
    }

    // Keys work wherever the focus is, but in a field of text.
    /** @param {KeyboardEvent} event */
    _pressKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
      const action = KEYS[event.key.toLowerCase()];
      if (action) this._act(action);
      else if (!this.board.contains(document.activeElement)) this.board.pressKey(event.key);
    }

    enableInput() {
      this._input.disabled = false;
    }

    clearInput() {
      this._input.value = "";
    }

    /** @param {string} text @param {MessageState} [state] how it looks */
    message(text, state = "") {
      this._message.textContent = text;
      this._message.dataset.state = state;
      this._result.textContent = "";
      this.explain();
      const terms = TsumeGlossary.termsIn([this._message]).filter((name) => EXPLAINED.includes(name));
      this._terms.replaceChildren(...(terms.length ? [make("details", {},
        make("summary", {}, TsumeGlossary.heading(terms)), make("dl", {}, ...TsumeGlossary.definitions(terms)))] : []));
    }

    // What may be read about the message, folded away.
    /** @param {string} [text] */
    explain(text) {
      this._why.replaceChildren(...(text ? [make("details", {}, make("summary", {}, say("web.how_far")), text)] : []));
    }

    /**
     * @param {string} check the last move
     * @param {Result} result
     * @param {boolean} isFutile there are interpositions, which are futile
     */
    solved(check, { moves, mistakes, hints, seconds }, isFutile) {
      const isHelped = mistakes + hints > 0;
      const told = [say(isHelped ? "web.mate_helped" : "web.mate", { check })];
      if (!isHelped && moves > 1) told.push(say("web.solved_in", { plies: moves }));
      if (isFutile) told.push(say("web.mate_futile"));
      this.message(told.join(" "), isHelped ? "helped" : "mate");
      const time = TsumePhrases.clock(seconds);
      if (document.activeElement === this._input) TsumeDom.find(this.board, ".tb-cell[tabindex='0']").focus({ preventScroll: true });
      this._result.textContent = say(isHelped ? "web.result" : "web.result_clean", { mistakes, hints, time });
    }

    /**
     * Shows the board, the moves played, and which buttons can be used.
     * @param {InstanceType<typeof TsumeAttempt>} attempt
     * @param {ShowOptions} marks
     */
    show(attempt, marks) {
      const { turn, current, moves, hintLevel } = attempt;
      this.board.checks = turn ? turn.checks.map((check) => check.move) : [];
      this.board.show(current.position, { last: current.move, ...marks });
      this._moves.replaceChildren(...moves.map(({ text, wrong }) => {
        const item = make("li", wrong ? { class: "tp-wrong" } : {}, text[language]);
        if (wrong) item.append(" ✗");
        return item;
      }));
      this._moves.lastElementChild?.setAttribute("aria-current", "step");
      this._enable("back", moves.length > 0);
      this._enable("restart", moves.length > 0);
      this._enable("hint", Boolean(turn?.key) && hintLevel < TsumeAttempt.MAX_HINT_LEVEL);
      this._buttons.hint.textContent = say("web.hint") + (hintLevel ? ` (${hintLevel}/${TsumeAttempt.MAX_HINT_LEVEL})` : "");
    }

    // Shows a position that is not one of the attempt.
    /** @param {Shown} shown */
    look({ position, checks, played, said, ...marks }) {
      this.board.checks = checks;
      this.board.show(position, marks);
      this.message(said);
      this._enable("back", Boolean(played));
      this._enable("restart", true);
      this._enable("hint", false);
    }

    /** @param {PlayerAction} action @param {boolean} enabled */
    _enable(action, enabled) {
      enable(this._buttons[action], enabled);
    }

    // Adds to the message.
    /** @param {string} text */
    addMessage(text) {
      this._message.append(" ", text);
    }

    // After a mistake, shows "Undo" as the thing to do; any other input does it, too.
    /** @param {boolean} offers */
    offerRetry(offers) {
      this.board.resume = offers ? () => this._actions.resume() : null;
      if (offers) this._enable("hint", true);
      this._buttons.back.textContent = say(offers ? "web.retry" : "web.back");
      this._buttons.back.classList.toggle("tp-do", offers);
    }
  };
})();
