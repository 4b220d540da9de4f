// The board of an editor as it is drawn: a position, both hands, the box with what is left. editor.js edits it.
"use strict";

(function () {
  const { HAND_ORDER } = window.TsumePosition;
  const { left } = window.TsumeArrangement;
  const { make } = window.TsumeBoardBase;
  const BOX_ORDER = HAND_ORDER + "K";

  class TsumeEditorView extends window.TsumeBoardBase {
    connectedCallback() {
      this.side = "b"; // of the pieces that come from the box
      this.rest = true; // the defender holds all that stands nowhere else
      this.locked = false;
      this._kept = new Set();
      super.connectedCallback();
    }

    // `rest`, `kept` (squares that must stay) and `locked` stay as they are unless given.
    show(position, { rest = this.rest, kept = this._kept, locked = false, ...options } = {}) {
      Object.assign(this, { rest, _kept: kept, locked });
      this.classList.toggle("tb-locked", locked);
      super.show(position, { rings: [...kept], ...options });
    }

    _build() {
      super._build();
      this._box = make("div", { role: "group", class: "tb-hand tb-box", "data-into": "x" });
      for (const side of ["b", "w"]) this._hands[side].dataset.into = side;
      this.append(this._box);
    }

    _render() {
      const focused = this.contains(document.activeElement) ? document.activeElement.dataset.name : null;
      super._render();
      this._renderBox();
      if (focused) this.querySelector(`[data-name="${focused}"]`)?.focus();
    }

    _isOwn() {
      return !this.locked;
    }

    _sideName({ kind, side }) {
      return this.say(`compose.piece_${side}`, { piece: this.pieceName(kind) });
    }

    _label(square, piece) {
      const kept = this._kept.has(square) ? " " + this.say("compose.kept") : "";
      return super._label(square, piece) + kept;
    }

    _renderHand(side) {
      const hand = this._hands[side];
      hand.setAttribute("aria-label", this._handName(side));
      const head = make("span", { class: "tb-head", "aria-hidden": "true" }, this._handName(side));
      const parts = [head];
      if (side === "w") parts.push(this._restButton());
      if (side === "b" || !this.rest) {
        const kinds = [...HAND_ORDER].filter((kind) => this.position.hands[side][kind] > 0);
        parts.push(...kinds.map((kind) => this._handButton(
          kind, this.position.hands[side][kind], { name: side + kind + "*", side })));
        parts.push(this._intoButton(side));
      }
      hand.replaceChildren(...parts);
    }

    _handName(side) {
      return this.say(side === "b" ? "web.attacker_hand" : "web.defender_hand");
    }

    _intoButton(side) {
      const name = this.say(`compose.into_${side}`);
      return make("button", { type: "button", class: "tb-into", "data-name": "into" + side, "aria-label": name, title: name }, "＋");
    }

    _restButton() {
      const button = make("button", {
        type: "button", class: "tb-toggle", "data-name": "rest", "aria-pressed": String(this.rest),
      }, this.say("web.defender_rest"));
      button.addEventListener("click", () => this._changeRest());
      return button;
    }

    _renderBox() {
      this._box.setAttribute("aria-label", this.say("compose.box"));
      const sides = make("div", { class: "tb-sides", role: "group", "aria-label": this.say("compose.side") });
      for (const side of ["b", "w"]) {
        const button = make("button", {
          type: "button", class: "tb-toggle", "data-name": "side" + side, "aria-pressed": String(side === this.side),
        }, this.say(`compose.side_${side}`));
        button.addEventListener("click", () => this._changeSide(side));
        sides.append(button);
      }
      const numbers = this._available();
      this._box.replaceChildren(
        make("span", { class: "tb-head", "aria-hidden": "true" }, this.say("compose.box")), sides,
        make("div", { class: "tb-pieces" }, ...[...BOX_ORDER].map((kind) => this._boxButton(kind, numbers[kind]))));
    }

    _boxButton(kind, count) {
      const button = this._handButton(kind, count, { name: `x${kind}*`, side: this.side, words: "compose.box_piece" });
      if (count < 1) button.setAttribute("aria-disabled", "true");
      return button;
    }

    // What the box holds: what stands nowhere; what the defender would get as the rest too.
    _available() {
      const numbers = left(this.position);
      if (this.rest) for (const kind of HAND_ORDER) numbers[kind] += this.position.hands.w[kind];
      return numbers;
    }

    // What is done with what is drawn.
    _changeRest() {}

    _changeSide() {}
  }

  TsumeEditorView.BOX_ORDER = BOX_ORDER;
  window.TsumeEditorView = TsumeEditorView;
})();
