// SPDX-License-Identifier: GPL-3.0-or-later
// The position on the page to compose on: shows it, has it judged, keeps it in the address, and changes it.
"use strict";

const TsumeComposePage = (function () {
  const { shifted, shiftedMoves } = TsumeArrangement;
  const { readSfen } = TsumeSfen;
  const { readText, readFile } = TsumeReading;
  const { RequestError, isAbort } = TsumeErrors;
  const { language, say } = TsumePhrases;
  const { find, enable } = TsumeDom;
  const { squareName } = TsumeNotation;
  const { address, update, store } = TsumeComposeAddress;

  return class {
    /** @param {HTMLElement} root */
    constructor(root) {
      TsumeLocalSolver.start().catch(() => {}); // the first verdict says so
      this._root = root;
      this._message = find(root, ".tc-said");
      this._textField = find(root, "#text", HTMLTextAreaElement);
      this._unread = find(root, ".tc-unread");
      /** @type {AbortController | null} */
      this._reading = null; // the text that is being read
      this.editor = find(root, "tsume-editor", TsumeEditor);
      this.line = new TsumeLinePlayer(find(root, ".tc-line"), {
        editor: this.editor, closed: () => this.draw(), intend: (moves) => this.intend(moves),
        isIntended: (moves) => moves.join() === this.composition.state.intended.join(),
      });
      this.verdict = new TsumeVerdict(find(root, ".tc-verdict"), {
        step: (moves, title, turn) => {
          this.line.show(this.composition.state.position, moves, { title, from: Math.max((turn || 1) - 1, 0) });
        },
        take: (sfen) => this.takeOver(sfen, ""),
        forget: () => this.intend([]),
        closeLine: () => this.line.close(),
        judge: (window.TsumeComposeServer || TsumeLocalSolver).judge,
        isLoading: () => !window.TsumeComposeServer && !TsumeLocalSolver.isReady,
      });
      const { found, quiet, isInvalid } = TsumeComposeAddress.start();
      this.composition = new TsumeComposition(found);
      /** @type {string | null} */
      this._hidden = quiet ? this._queryText() : null; // the query of which no verdict is shown until the user wants it
      this.draw();
      this.tell(say("compose.begin"));
      if (isInvalid) this.reject(say("compose.bad_sfen"));
      else this._judge();
      this._updateAddress();
    }

    // The address of the page with the position as it is.
    get link() {
      return new URL(address(this.composition.query, language, this._isHidden()), location.href).href;
    }

    _updateAddress() {
      update(this.composition.query, this._isHidden());
    }

    /** @param {string} text */
    tell(text) {
      this._message.textContent = text;
    }

    /** @param {string} name */
    _tool(name) {
      return find(this._root, `[data-act=${name}]`, HTMLButtonElement);
    }

    _changed() {
      this.line.close();
      this.draw();
      this._judge();
      if (!this._isHidden()) store(this.composition.query);
      this._updateAddress();
    }

    draw() {
      const { position, rest, kept } = this.composition.state;
      this.editor.show(position, { rest, kept });
      enable(this._tool("undo"), this.composition.history.canUndo);
      enable(this._tool("redo"), this.composition.history.canRedo);
      this._textField.removeAttribute("aria-invalid");
      this._unread.textContent = "";
    }

    _judge() {
      const faults = TsumeLegality.faults(this.composition.state.position);
      if (this._isHidden()) this.verdict.hide(() => this._reveal());
      else if (TsumeLegality.isBare(this.composition.state.position)) this.verdict.invite();
      else if (faults.length) this.verdict.refuse(faults);
      else this.verdict.request(this.composition.query);
    }

    _queryText() {
      return JSON.stringify(this.composition.query);
    }

    _isHidden() {
      return this._hidden === this._queryText();
    }

    _reveal() {
      this._hidden = null;
      this._judge();
      this._updateAddress();
    }

    // --- changes of the position --------------------------------------------------------------------

    /**
     * @param {Position} position
     * @param {string} text
     * @param {Changes} [changes]
     */
    replace(position, text, changes) {
      this.composition.replace(position, changes);
      this._changed();
      this.tell(text);
    }

    /** @param {string[]} moves */
    intend(moves) {
      this.line.close();
      this.replace(this.composition.state.position, say(moves.length ? "compose.is_intended" : "compose.none_intended"), { intended: moves });
    }

    /**
     * Puts a position that the server has found on the board.
     * @param {string} sfen
     * @param {string} text
     * @param {Changes} [changes]
     */
    takeOver(sfen, text, changes) {
      const { position, rest } = /** @type {ReadSfen} */ (readSfen(sfen));
      this.replace(position, [say("compose.taken_over"), text].filter(Boolean).join(" "), { ...changes, rest });
      this.editor.scrollIntoView({ block: "nearest" });
    }

    /**
     * Puts the problem of a text or a file on the board. Returns it; null if it cannot be read, which is told.
     * @param {string | File} given
     */
    async read(given) {
      this._reading?.abort();
      const reading = new AbortController();
      this._reading = reading;
      try {
        const found = await (typeof given === "string" ? readText(given, reading.signal) : readFile(given, reading.signal));
        if (this._reading !== reading) return null;
        const { position, rest, moves: intended, title, author } = found;
        this.replace(position, TsumeReadingReport.success(found), { rest, intended, texts: { title, author } });
        this._textField.value = "";
        return found;
      } catch (error) {
        if (this._reading !== reading || isAbort(error)) return null;
        if (!(error instanceof RequestError)) throw error;
        this.reject(TsumeReadingReport.failure(error));
        return null;
      }
    }

    // Says why something cannot be loaded, wherever a verdict on it would be looked for.
    /** @param {string} reason */
    reject(reason) {
      this.line.close();
      this.tell(reason);
      this._unread.textContent = reason;
      this._textField.setAttribute("aria-invalid", "true");
      this.verdict.reject(reason, () => this._changed());
    }

    /** @param {-1 | 1} by */
    step(by) {
      if (!this.composition.history.step(by)) return;
      this._changed();
      this.tell(say(by < 0 ? "compose.undone" : "compose.redone"));
    }

    /**
     * @param {Shift} how
     * @param {string} [phrase]
     */
    shift(how, phrase = "compose.shifted") {
      const { position, intended } = this.composition.state;
      const made = shifted(position, how);
      if (made) this.replace(made, say(phrase), { intended: shiftedMoves(intended, how) });
      else this.tell(say("compose.falls_off"));
    }

    // Whether the position breaks no rule that the page knows of; otherwise it tells which.
    isLegal() {
      const faults = TsumeLegality.faults(this.composition.state.position);
      if (faults.length) this.tell(faults.join(" "));
      return !faults.length;
    }

    toggleKept() {
      const square = this.editor.currentSquare();
      if (!square) return;
      const phrase = this.composition.toggleKept(square) ? "compose.is_kept" : "compose.no_longer_kept";
      this.draw();
      this.tell(say(phrase, { square: squareName(square) }));
    }
  };
})();
