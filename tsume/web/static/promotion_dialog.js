// The question whether a piece promotes.
"use strict";

const TsumePromotionDialog = (function () {
  const { make, button } = TsumeDom;
  const { say } = TsumePhrases;
  /** @type {Record<string, number>} */
  const STEPS = { Tab: 1, ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

  return class {
    constructor() {
      this.element = make("div", { role: "dialog", class: "tb-question", "aria-modal": "true", hidden: "" });
      this.element.addEventListener("keydown", (event) => this._pressKey(event));
    }

    /**
     * @param {string} kind
     * @param {Signs} signs
     * @param {(promotes: boolean | null) => void} answer called with null if the question is cancelled
     */
    open(kind, signs, answer) {
      /** @type {(phrase: string, drawn: string, promotes: boolean) => HTMLButtonElement} */
      const choice = (phrase, drawn, promotes) => {
        const made = button("", () => answer(promotes), { "aria-label": say(phrase) });
        made.append(TsumeBoardDrawing.piece(drawn, "b", signs), make("span", {}, say(phrase)));
        return made;
      };
      this._buttons = [
        choice("web.promote", "+" + kind, true),
        choice("web.keep", kind, false),
        button(say("web.cancel"), () => answer(null), { class: "tb-cancel" }),
      ];
      this.element.setAttribute("aria-label", say("web.promote_question"));
      this.element.replaceChildren(...this._buttons);
      this.element.hidden = false;
      this._buttons[0].focus();
    }

    close() {
      this.element.hidden = true;
    }

    /** @param {KeyboardEvent} event */
    _pressKey(event) {
      const buttons = this._buttons || [];
      const focused = buttons.findIndex((one) => one === document.activeElement);
      const step = event.key === "Tab" && event.shiftKey ? -1 : STEPS[event.key];
      if (event.key === "Escape") buttons[2].click();
      else if (step) buttons[(focused + step + buttons.length) % buttons.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
  };
})();
