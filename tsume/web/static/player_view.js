// The elements around the board on which a problem is solved: messages, buttons, moves, a field to type moves.
"use strict";

/** @typedef {"back" | "hint" | "restart"} PlayerAction */

const TsumePlayerView = (function () {
  const { make, button } = TsumeDom;
  const { say, language } = TsumePhrases;
  /** @type {Record<string, PlayerAction>} */
  const KEYS = { h: "hint", u: "back", 0: "restart" };

  return class {
    /**
     * @param {HTMLElement} root
     * @param {string | undefined} next the address of the next problem
     * @param {Record<PlayerAction | "switchSigns", () => void> & {type: (text: string) => void}} actions
     */
    constructor(root, next, actions) {
      this.board = /** @type {InstanceType<typeof TsumeBoard>} */ (document.createElement("tsume-board"));
      this._message = make("p", { class: "tp-said", role: "status", "aria-live": "polite" });
      this._result = make("p", { class: "tp-result" });
      this._moves = make("ol", { class: "tp-moves", "aria-label": say("web.moves_played") });
      this._buttons = {
        back: button(say("web.back"), actions.back),
        hint: button(say("web.hint"), actions.hint),
        restart: button(say("web.restart"), actions.restart),
      };
      this._signs = button(this.board.signsLabel, actions.switchSigns, { class: "tp-signs" });
      const { back, hint, restart } = this._buttons;
      const link = next ? [make("a", { class: "tp-next", href: next }, say("web.next"))] : [];
      this._input = make("input", { type: "text", maxlength: 12, autocomplete: "off", spellcheck: "false", disabled: "" });
      root.append(this.board, make("div", { class: "tp-side" },
        this._message, this._result,
        make("div", { class: "tp-buttons" }, back, hint, restart, ...link, this._signs),
        this._moves, this._form(actions.type),
        make("details", { class: "tp-keys" }, make("summary", {}, say("web.keys")), make("p", {}, say("web.keys_text")))));
      root.addEventListener("keydown", (event) => this._pressKey(event));
    }

    /** @param {(text: string) => void} type */
    _form(type) {
      const form = make("form", { class: "tp-typed" }, make("label", {}, say("web.typed"), " ", this._input));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        type(this._input.value);
      });
      return form;
    }

    /** @param {KeyboardEvent} event */
    _pressKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target === this._input) return;
      const action = KEYS[event.key.toLowerCase()];
      if (action) this._buttons[action].click();
    }

    enableInput() {
      this._input.disabled = false;
    }

    clearInput() {
      this._input.value = "";
    }

    /** @param {string} text */
    message(text) {
      this._message.textContent = text;
    }

    /** @param {string} text */
    result(text) {
      this._result.textContent = text;
    }

    /**
     * Shows the board, the moves played, and which buttons can be used.
     * @param {InstanceType<typeof TsumeAttempt>} attempt
     * @param {ShowOptions} marks
     */
    show(attempt, marks) {
      const { turn, current, moves } = attempt;
      this.board.checks = turn ? turn.checks.map((check) => check.move) : [];
      this.board.show(current.position, { last: current.move, ...marks });
      this._moves.replaceChildren(...moves.map(({ text, wrong }) => {
        const item = make("li", wrong ? { class: "tp-wrong" } : {}, text[language]);
        if (wrong) item.append(" ✗");
        return item;
      }));
      this._moves.lastElementChild?.setAttribute("aria-current", "step");
      this._buttons.back.disabled = !moves.length;
      this._buttons.restart.disabled = !moves.length;
      this._buttons.hint.disabled = !turn?.key;
      this._signs.textContent = this.board.signsLabel;
    }

    /**
     * After a mistake, shows "Take back" as the thing to do.
     * @param {boolean} offers
     */
    offerRetry(offers) {
      this._buttons.back.textContent = say(offers ? "web.retry" : "web.back");
      this._buttons.back.classList.toggle("tp-do", offers);
    }
  };
})();
