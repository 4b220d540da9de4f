// The solver: a person against a reply tree (docs/tree.md, with words: docs/board.md).
//
// new TsumePlayer(root, {sfen, language, next, solved}) builds itself in `root`; `load(tree)` starts the play.
"use strict";

(function () {
  const { Position, KANJI_RANKS } = window.TsumePosition;
  const { element, remember, remembered } = window.TsumeShared;
  const ANSWER_AFTER = 20; // milliseconds: the check is drawn before the answer is

  class TsumePlayer {
    constructor(root, { sfen, language, next = null, solved = null, answerAfter = ANSWER_AFTER }) {
      this._onSolved = solved; // told of the result, once
      this._start = Position.fromSfen(sfen);
      this._language = language;
      this._answerAfter = answerAfter;
      this._tree = null;
      this._build(root, next);
      this._reset();
      this._status("web.loading");
    }

    load(tree) {
      this._tree = tree;
      this._began = Date.now();
      this._restart();
      this._typed.disabled = false;
      if (tree.result !== "mate") this._status(tree.result === "no_mate" ? "web.no_mate" : "web.unresolved");
    }

    // A sentence instead of the play: the tree could not be had.
    fail(name) {
      this._status(name);
    }

    // --- what is on the page ------------------------------------------------------------------------

    _build(root, next) {
      this._board = document.createElement("tsume-board");
      this._board.language = this._language;
      this._board.signs = remembered("tsume.signs") === "letters" ? "letters" : "kanji";
      const side = element("div", "tp-side");
      this._said = element("p", "tp-said");
      this._said.setAttribute("role", "status");
      this._said.setAttribute("aria-live", "polite");
      this._outcome = element("p", "tp-result");
      this._list = element("ol", "tp-moves");
      root.append(this._board, side);
      this._list.setAttribute("aria-label", this._say("web.moves_played"));
      const buttons = element("div", "tp-buttons");
      this._buttons = {
        back: this._button(buttons, "web.back", () => this._back()),
        hint: this._button(buttons, "web.hint", () => this._hint()),
        restart: this._button(buttons, "web.restart", () => this._restart()),
      };
      if (next) {
        const link = element("a", "tp-next", this._say("web.next"));
        link.href = next;
        buttons.append(link);
      }
      this._signs = this._button(buttons, "web.signs", () => this._changeSigns());
      this._signs.classList.add("tp-signs");
      this._nameSigns();
      const help = element("details", "tp-keys");
      help.append(element("summary", "", this._say("web.keys")), element("p", "", this._say("web.keys_text")));
      side.append(this._said, this._outcome, buttons, this._list, this._typing(), help);
      this._board.addEventListener("move", (event) => this._check(event.detail));
      this._board.addEventListener("say", (event) => this._tell(event.detail));
      root.addEventListener("keydown", (event) => this._keyed(event));
    }

    // A line to type moves into: USI, Japanese or Hodges.
    _typing() {
      const form = element("form", "tp-typed");
      const label = element("label", "", this._say("web.typed"));
      this._typed = element("input", "");
      Object.assign(this._typed, { type: "text", maxLength: 12, autocomplete: "off", spellcheck: false, disabled: true });
      label.append(" ", this._typed);
      form.append(label);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const turn = this._turn;
        const found = turn ? typedChecks(this._typed.value, turn.checks) : [];
        if (found.length === 1) this._check(found[0].move);
        else this._status(found.length ? "web.typed_which" : "web.no_check");
        if (found.length === 1) this._typed.value = "";
      });
      return form;
    }

    _button(parent, name, act) {
      const button = element("button", "", this._say(name, { signs: "" }));
      button.type = "button";
      button.addEventListener("click", act);
      parent.append(button);
      return button;
    }

    _keyed(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target === this._typed) return;
      const act = { h: "hint", u: "back", 0: "restart" }[event.key.toLowerCase()];
      if (act) this._buttons[act].click();
    }

    _changeSigns() {
      this._board.signs = this._board.signs === "kanji" ? "letters" : "kanji";
      remember("tsume.signs", this._board.signs);
      this._nameSigns();
      this._show();
    }

    _nameSigns() {
      const signs = this._say(this._board.signs === "kanji" ? "web.kanji" : "web.letters");
      this._signs.textContent = this._say("web.signs", { signs });
    }

    _say(name, parts) {
      return this._board.say(name, parts);
    }

    _status(name, parts) {
      this._tell(this._say(name, parts));
    }

    _tell(text) {
      this._said.textContent = text;
    }

    // --- the state: a stack of what was played ------------------------------------------------------

    _reset() {
      clearTimeout(this._waiting);
      // One entry a position: where it stands in the tree (turn), and the move that led to it.
      this._stack = [{ position: this._start, turn: 0, move: null, text: null }];
      this._mistakes = 0;
      this._hints = 0;
      this._hinted = 0;
      this._over = false;
      this._outcome.textContent = "";
      this._show();
    }

    get _top() {
      return this._stack[this._stack.length - 1];
    }

    // The turn in the tree if the person is to move.
    get _turn() {
      const { turn } = this._top;
      return this._tree && turn !== null && !this._over ? this._tree.turns[turn] : null;
    }

    _push(usi, text, side, turn = null) {
      this._stack.push({ position: this._top.position.after(usi, side), turn, move: usi, text, side });
    }

    _show(options = {}) {
      const turn = this._turn;
      this._board.checks = turn ? turn.checks.map((check) => check.move) : [];
      this._board.show(this._top.position, { last: this._top.move, ...options });
      this._list.replaceChildren(...this._stack.slice(1).map(({ text, wrong }) => {
        const item = element("li", wrong ? "tp-wrong" : "", text[this._language]);
        if (wrong) item.append(" ✗");
        return item;
      }));
      this._list.lastElementChild?.setAttribute("aria-current", "step");
      this._buttons.back.disabled = this._stack.length === 1;
      this._buttons.restart.disabled = this._stack.length === 1;
      this._buttons.hint.disabled = !turn || !turn.key;
    }

    // --- a check of the person ----------------------------------------------------------------------

    _check(usi) {
      const turn = this._turn;
      const check = turn.checks.find((one) => one.move === usi);
      this._hinted = 0;
      if (check.result === "open") {
        this._show();
        this._status("web.open", { check: check.text[this._language] });
        return;
      }
      this._push(usi, check.text, "b");
      if (check.result === "fails") this._fails(check);
      else this._mates(check);
    }

    _fails(check) {
      this._mistakes += 1;
      this._top.wrong = true;
      this._tell("");
      this._show();
      this._later(() => {
        const arrow = check.answer;
        this._push(check.answer, check.answer_text, "w");
        this._show({ arrows: [arrow] });
        this._status("web.wrong", { why: check.why[this._language] });
        this._buttons.back.textContent = this._say("web.retry");
        this._buttons.back.classList.add("tp-do");
      });
    }

    _mates(check) {
      const best = check.answers.find((answer) => answer.best);
      if (!best) {
        this._solved(check);
        return;
      }
      this._tell("");
      this._show();
      this._later(() => {
        const turn = best.turn === undefined ? null : best.turn;
        this._push(best.move, best.text, "w", turn);
        this._show();
        const name = turn === null ? "web.cut"
          : check.rank === "later" ? "web.answered_late"
          : check.rank === "as_soon" ? "web.answered_also" : "web.answered";
        this._status(name, { check: check.text[this._language], answer: best.text[this._language] });
      });
    }

    _solved(check) {
      this._over = true;
      this._show();
      const plies = this._stack.length - 1;
      this._status(check.answers.length ? "web.mate_futile" : "web.mate", { check: check.text[this._language], plies });
      const seconds = Math.round((Date.now() - this._began) / 1000);
      const result = { mistakes: this._mistakes, hints: this._hints, seconds };
      this._outcome.textContent = this._say("web.result", result);
      if (this._onSolved) this._onSolved({ moves: plies, ...result });
      this._onSolved = null;
    }

    // The defender's answer, a moment later. What the person does meanwhile puts it off for good.
    _later(act) {
      clearTimeout(this._waiting);
      this._waiting = setTimeout(act, this._answerAfter);
    }

    // --- what helps ---------------------------------------------------------------------------------

    _hint() {
      const turn = this._turn;
      if (!turn || !turn.key) return;
      const { key } = turn;
      const { origin, drop, target } = window.TsumePosition.readMove(key);
      this._hints += 1;
      this._hinted = Math.min(this._hinted + 1, 3);
      const from = drop ? drop + "*" : origin;
      if (this._hinted === 1) {
        this._show({ rings: [from] });
        const piece = drop ? this._board.pieceName(drop)
          : `${this._board.squareName(origin)} ${this._board.pieceName(this._top.position.mover(key))}`;
        this._status(drop ? "web.hint_drop" : "web.hint_piece", { piece });
      } else if (this._hinted === 2) {
        this._show({ rings: [from, target] });
        this._status("web.hint_square", { square: this._board.squareName(target) });
      } else {
        this._show({ rings: [from, target], arrows: [key] });
        const { text } = turn.checks.find((check) => check.move === key);
        this._status("web.hint_move", { check: text[this._language] });
      }
    }

    // Back to the person's turn before this one.
    _back() {
      clearTimeout(this._waiting);
      this._unmark();
      if (this._stack.length === 1) {
        this._status("web.at_start");
        return;
      }
      do this._stack.pop(); while (this._top.turn === null);
      this._over = false;
      this._hinted = 0;
      this._outcome.textContent = "";
      this._show();
      this._status("web.taken_back");
    }

    _restart() {
      this._unmark();
      this._reset();
      this._status("web.your_turn");
    }

    _unmark() {
      this._buttons.back.textContent = this._say("web.back");
      this._buttons.back.classList.remove("tp-do");
    }
  }

  // The checks that a text names: in full (USI, ▲２三金, G-2c), or by less where that is enough: 23金, G2c, 2c.
  function typedChecks(text, checks) {
    const typed = plain(text);
    const names = (check) => [check.move, check.text.ja, check.text.en].map(plain);
    const exact = checks.filter((check) => names(check).includes(typed));
    if (exact.length || typed.length < 2) return exact;
    const square = (check) => [check.move.slice(2, 4), plain(check.text.ja).slice(0, 2)].includes(typed);
    return checks.filter(square);
  }

  // Without what people leave out or write in several ways: marks of side, width of digits, numerals, dashes.
  function plain(text) {
    return text.normalize("NFKC").toLowerCase()
      .replace(/[▲△☗☖\s\-'x]/g, "").replace(/[一二三四五六七八九]/g, (one) => KANJI_RANKS.indexOf(one) + 1)
      .replace("竜", "龍").replace("王", "玉");
  }

  window.TsumePlayer = TsumePlayer;
})();
