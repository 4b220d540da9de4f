// <tsume-editor>: a board on which a position is arranged, with mouse, touch and keys.
//
// It shows what it is told to (`show`) and fires `edit` (detail: {position, rest, said}) for what a person wants;
// who listens shows it or not. `say` (detail: a sentence) is what a person should hear, `leave` asks to end a
// line that is shown (`locked`). Names of pieces: "2c" on the board, "bG*" and "wG*" in a hand, "xG*" in the box.
"use strict";

(function () {
  const { base, otherSide, completed, put, held, promoted, next } = window.TsumeArrangement;
  const { BOX_ORDER } = window.TsumeEditorView;

  class TsumeEditor extends window.TsumeEditorView {
    _build() {
      super._build();
      for (const place of [this._box, this._hands.b, this._hands.w]) {
        place.addEventListener("keydown", (event) => this._keyedBeside(event, place.dataset.into));
      }
      this._grid.addEventListener("contextmenu", (event) => this._cycled(event));
    }

    // --- what a person does -------------------------------------------------------------------------

    // The second click of a double click goes on to the next state of the piece.
    _clicked(event) {
      if (event.detail && event.detail % 2 === 0 && !this._dropped && event.target.closest("[data-square]")) this._cycled(event);
      else super._clicked(event);
    }

    _act(square) {
      this._focusOn(square, false);
      if (this._leaves()) return;
      if (this._chosen === square) this._putBack();
      else if (this._chosen) this._place(this._chosen, square);
      else if (this.position.squares.has(square)) this._choose(square);
      else this._tell("compose.empty_square", { square: this.squareName(square) });
    }

    _choose(name) {
      if (this._leaves()) return;
      const intoHand = name.endsWith("*") && name[0] !== "x" && this._chosen && this._chosen[0] !== name[0];
      if (intoHand) {
        this._moveInto(this._chosen, name[0]);
      } else if (this._chosen === name) {
        this._putBack();
      } else if (name[0] === "x" && this._available()[name[1]] < 1) {
        this._tell("compose.none_left", { piece: this.pieceName(name[1]) });
      } else {
        this._chosen = name;
        this._render();
        this._tell("web.picked", { piece: this._nameOf(name) });
      }
    }

    _clickedBeside(target) {
      const place = target.closest("[data-into]");
      if (!place || target.closest(".tb-toggle") || this._leaves()) return;
      if (this._chosen) this._moveInto(this._chosen, place.dataset.into);
      else if (target.closest(".tb-into")) this._tell("compose.choose_first");
    }

    // Whether a line was shown: then it is left, and nothing else happens.
    _leaves() {
      const { locked } = this;
      if (locked) this.dispatchEvent(new CustomEvent("leave", { bubbles: true }));
      return locked;
    }

    _nameOf(name) {
      if (name.endsWith("*")) return this._sideName(this._pieceOf(name));
      return `${this.squareName(name)} ${this._sideName(this._pieceOf(name))}`;
    }

    _pieceOf(name) {
      if (!name.endsWith("*")) return this.position.squares.get(name);
      return { kind: name[1], side: name[0] === "x" ? this.side : name[0] };
    }

    // The position without a piece, which then stands nowhere.
    _without(name) {
      if (name[0] === "x") return this.position;
      return name.endsWith("*") ? held(this.position, name[0], name[1], -1) : put(this.position, name, null);
    }

    // --- edits --------------------------------------------------------------------------------------

    _edit(position, said, { rest = this.rest } = {}) {
      this._chosen = null;
      const detail = { position: rest ? completed(position) : position, rest, said };
      this.dispatchEvent(new CustomEvent("edit", { detail, bubbles: true }));
    }

    _place(from, square) {
      const piece = this._pieceOf(from);
      const said = this.say("compose.placed", { square: this.squareName(square), piece: this._sideName(piece) });
      this._edit(put(this._without(from), square, piece), said);
    }

    _moveInto(from, into) {
      const piece = this._pieceOf(from);
      const kind = base(piece.kind);
      if (into === "x" || (into === "w" && this.rest)) {
        this._takeOff(from);
      } else if (kind === "K") {
        this._tell("compose.no_king_in_hand");
      } else {
        const said = this.say("compose.put_in_hand", { piece: this.pieceName(kind), hand: this._handName(into) });
        this._edit(held(this._without(from), into, kind, 1), said);
      }
    }

    _takeOff(from) {
      if (from[0] === "x") this._putBack();
      else this._edit(this._without(from), this.say("compose.taken_off", { piece: this._nameOf(from) }));
    }

    _changeRest() {
      if (this._leaves()) return;
      const said = this.say(this.rest ? "compose.rest_off" : "compose.rest_on");
      this._edit(this.position, said, { rest: !this.rest });
    }

    _changeSide(side) {
      this.side = side;
      this._render();
      this._tell("compose.side_chosen", { side: this.say(`compose.side_${side}`) });
    }

    // --- the piece that is chosen, or else that under the cursor ---------------------------------------

    // Its square, or null, after saying so, where there is none; a line that is shown is left instead.
    current() {
      const name = this._chosen && !this._chosen.endsWith("*") ? this._chosen : this._focus;
      if (this._leaves()) return null;
      if (this.position.squares.has(name)) return name;
      this._tell("compose.empty_square", { square: this.squareName(name) });
      return null;
    }

    _change(square, piece) {
      const said = this.say("compose.placed", { square: this.squareName(square), piece: this._sideName(piece) });
      this._edit(put(this.position, square, piece), said);
    }

    promote() {
      const square = this.current();
      if (!square) return;
      const piece = promoted(this._pieceOf(square));
      if (piece) this._change(square, piece);
      else this._tell("compose.never_promotes", { piece: this._nameOf(square) });
    }

    turn() {
      const square = this.current();
      if (!square) return;
      const { kind, side } = this._pieceOf(square);
      this._change(square, { kind, side: otherSide(side) });
    }

    intoHand(side = "b") {
      const square = this.current();
      if (square) this._moveInto(square, side);
    }

    takeOff() {
      const square = this.current();
      if (square) this._takeOff(square);
    }

    _cycled(event) {
      const cell = event.target.closest("[data-square]");
      if (!cell) return;
      event.preventDefault();
      if (event.pointerType === "touch" && event.type === "contextmenu") return; // a long press
      if (this._leaves()) return;
      const { square } = cell.dataset;
      this._focusOn(square, false);
      const piece = this.position.squares.get(square);
      if (piece) this._change(square, next(piece));
      else this._act(square);
    }

    // --- keys ---------------------------------------------------------------------------------------

    _keyedMore(key, square) {
      const act = {
        "+": () => this.promote(), "=": () => this.promote(), "h": () => this.intoHand(),
        "x": () => this._turnHere(square), "Delete": () => this.takeOff(), "Backspace": () => this.takeOff(),
      }[key.length === 1 ? key.toLowerCase() : key];
      if (act) act();
      else if (isLetter(key)) this._enter(key, square);
      else return false;
      return true;
    }

    // A letter puts a piece under the cursor: of the chosen side, with Shift of the other.
    _enter(key, square) {
      if (this._leaves()) return;
      const kind = key.toUpperCase();
      if (this._available()[kind] < 1) {
        this._tell("compose.none_left", { piece: this.pieceName(kind) });
        return;
      }
      this._change(square, { kind, side: key === kind ? otherSide(this.side) : this.side });
    }

    _turnHere(square) {
      if (this.position.squares.has(square)) this.turn();
      else this._changeSide(otherSide(this.side));
    }

    // Beside the board a letter puts a piece from the box into the hand, or chooses it in the box.
    _keyedBeside(event, into) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const name = event.target.dataset.name || "";
      if (event.key === "Escape" && this._chosen) this._putBack();
      else if ((event.key === "Delete" || event.key === "Backspace") && name.endsWith("*")) this._takeOff(name);
      else if (event.key.toLowerCase() === "x") this._changeSide(otherSide(this.side));
      else if (isLetter(event.key)) this._enterBeside(event.key.toUpperCase(), into);
      else return;
      event.preventDefault();
    }

    _enterBeside(kind, into) {
      if (into === "x" || this._available()[kind] < 1) {
        this._chosen = null;
        this._choose(`x${kind}*`);
      } else if (!this._leaves() && !(into === "w" && this.rest)) {
        this._moveInto(`x${kind}*`, into);
      }
    }

    // --- dragging -----------------------------------------------------------------------------------

    _liftable(source) {
      return !this.locked && source.getAttribute("aria-disabled") !== "true";
    }

    _droppedOn(from, under) {
      const cell = under && under.closest("[data-square]");
      const place = under && under.closest("[data-into]");
      this._chosen = null;
      if (cell && cell.dataset.square !== from) {
        this._focusOn(cell.dataset.square, true);
        this._place(from, cell.dataset.square);
      } else if (place && place.dataset.into !== from[0]) {
        this._moveInto(from, place.dataset.into);
      } else if (!cell && !place && from[0] !== "x") {
        this._takeOff(from);
      }
    }
  }

  function isLetter(key) {
    return key.length === 1 && BOX_ORDER.includes(key.toUpperCase());
  }

  customElements.define("tsume-editor", TsumeEditor);
})();
