// SPDX-License-Identifier: GPL-3.0-or-later
// An explanation turn by turn, as list items: variations, futile interpositions, and what other checks lead to. Each of them
// shows its moves on the board.
"use strict";

const TsumeExplainedTurns = (function () {
  const { say } = TsumePhrases;
  const { make, button } = TsumeDom;
  const { squareName } = TsumeNotation;
  const MAX_MOVES = 9; // in words
  const MAX_TRIES = 4; // the others are folded, as `tsume explain` leaves them out

  return class {
    /**
     * @param {string} sfen
     * @param {Judgement} judgement has the second solutions by their names
     * @param {FindingActions} actions
     */
    constructor(sfen, judgement, actions) {
      this._start = TsumePosition.Position.fromSfen(sfen);
      this._judgement = judgement;
      this._actions = actions;
    }

    /** @param {ExplainedTurn[]} turns */
    items(turns) {
      const last = turns[turns.length - 1];
      const line = last ? this._mainLine(last) : [];
      return turns.map((turn) => this._turn(turn, line));
    }

    // The line of the verdict, if the explanation follows it; else its own.
    /** @param {ExplainedTurn} last */
    _mainLine({ path, key }) {
      const { given, line } = this._judgement;
      const best = given?.reading ? given.line : line;
      const explained = [...path, key || ""];
      return startsWith(best, explained) ? best : explained;
    }

    /** @param {ExplainedTurn} turn @param {string[]} line */
    _turn(turn, line) {
      const { path, key, length } = turn;
      const heading = say("explanation.turn", { number: turn.turn, key: this._texts([...path, key || ""])[path.length] });
      const items = [...this._variations(turn), ...this._futile(turn)];
      if (length === 1 && !items.length) items.push(make("li", {}, make("div", {}, say("explanation.final"))));
      const [tries, rest] = triesShown(turn);
      items.push(...this._others(turn), ...tries.map((one) => this._try(turn, one)));
      const more = rest.length ? [folded(say("compose.other_tries", { count: rest.length }), rest.map((one) => this._try(turn, one)))] : [];
      return make("li", {},
        this._button(heading, line, path.length, { class: "tc-turn" }),
        ...(items.length ? [list(items)] : []), ...more);
    }

    /** @param {ExplainedTurn} turn */
    _variations({ path, key, length, variations }) {
      const before = [...path, key || ""];
      return variations.map(({ answers, line, total, leftover }) => {
        const moves = [...before, answers[0], ...line];
        const texts = answers.map((answer) => this._texts([...before, answer])[before.length]);
        const remarks = [
          ...(total === path.length + (length || 0) ? [say("explanation.as_long")] : []),
          ...(leftover ? [say("explanation.leftover")] : []),
        ].join(say("web.and"));
        const text = say("explanation.variation", {
          answers: texts.join(say("web.and")), line: shortened(this._texts(moves).slice(before.length + 1)), total,
          remarks: remarks && say("compose.in_brackets", { remarks }),
        });
        return this._item(text, moves, before.length);
      });
    }

    /** @param {ExplainedTurn} turn */
    _futile({ path, key, futile }) {
      const before = [...path, key || ""];
      return futile.map(({ drops, take }) => {
        const moves = [...before, drops[0], take];
        const square = squareName(drops[0].slice(2, 4));
        const drop = say("explanation.futile_drop", { square, take: this._texts(moves)[before.length + 1] });
        return this._item(say("explanation.futile", { drops: drop }), moves, before.length);
      });
    }

    // Other checks that mate; those that the verdict names are its findings.
    /** @param {ExplainedTurn} turn */
    _others(turn) {
      return turn.others.map(({ check, length }) => {
        const moves = [...turn.path, check];
        const finding = this._judgement.findings.find(({ turn: number, line }) => number === turn.turn && startsWith(line.split(" "), moves));
        if (finding) return TsumeFindings.findingItem(finding, this._judgement, this._actions);
        const checks = this._texts(moves)[turn.path.length];
        const total = turn.path.length + (length || 0);
        const text = say(wayOf(turn, length), { checks, total, moves: movesText(total) });
        return this._item(text, moves, turn.path.length);
      });
    }

    /** @param {ExplainedTurn} turn @param {ExplainedTurn["tries"][number]} found */
    _try({ path }, { check, answer, proof, within, only, cause }) {
      const moves = [...path, check, answer];
      const [checked, answered] = this._texts(moves).slice(path.length);
      const parts = {
        check: checked,
        answer: answered,
        only: only ? say("explanation.only") : "",
        moves: movesText(within || 0),
        cause: cause ? this._cause(cause, moves) : "",
      };
      return this._item(say(`explanation.${proof}`, parts), moves, path.length);
    }

    /**
     * What decides that the last move refutes the check before it.
     * @param {{kind: string, line: string[]}} cause
     * @param {string[]} moves
     */
    _cause({ kind, line }, moves) {
      const name = kind === "repetition" && line.length ? "cycle" : kind;
      return say(`findings.${name}`, { line: this._texts([...moves, ...line]).slice(moves.length).join(" ") });
    }

    /**
     * @param {string} text
     * @param {string[]} moves
     * @param {number} from so many moves are played when the line is shown
     */
    _item(text, moves, from) {
      return make("li", {}, this._button(text, moves, from));
    }

    /**
     * @param {string} text
     * @param {string[]} moves
     * @param {number} from
     * @param {Record<string, string>} [attributes]
     */
    _button(text, moves, from, attributes) {
      const made = button(text, () => {
        made.focus({ preventScroll: true }); // in Safari a click does not; the focus returns here
        this._actions.step(moves, text, from + 1);
      }, attributes);
      return made;
    }

    // The moves of a line in words.
    /** @param {string[]} moves */
    _texts(moves) {
      const line = new TsumeMoveLine(this._start, moves);
      return line.moves.map((_, index) => line.text(index));
    }
  };

  /** @param {number} number */
  function movesText(number) {
    return say(number === 1 ? "common.one_move" : "common.moves", { number });
  }

  /**
   * The name of the phrase for a check that mates, too, and which the verdict does not name.
   * @param {ExplainedTurn} turn
   * @param {number | null} length
   */
  function wayOf(turn, length) {
    if (length === null) return "explanation.mates_somehow";
    if (turn.length !== 1 || !turn.path.length) return "explanation.mates_too";
    return length === 1 ? "compose.last_move" : "compose.longer";
  }

  // The failing checks that are shown at once and those that are folded: at the last of several moves all are.
  /** @param {ExplainedTurn} turn */
  function triesShown({ length, path, tries }) {
    const bounded = tries.filter(({ proof }) => proof === "bounded").length;
    const shown = length === 1 && path.length ? 0 : tries.length <= MAX_TRIES + 1 ? tries.length : Math.max(MAX_TRIES, bounded);
    return [tries.slice(0, shown), tries.slice(shown)];
  }

  // Moves as one text; the last ones of a long line are seen on the board.
  /** @param {string[]} texts */
  function shortened(texts) {
    return texts.length > MAX_MOVES ? `${texts.slice(0, MAX_MOVES).join(" ")} …` : texts.join(" ");
  }

  /** @param {HTMLElement[]} items */
  function list(items) {
    return make("ul", { class: "tc-reasons" }, ...items);
  }

  /** @param {string} title @param {HTMLElement[]} items */
  function folded(title, items) {
    return make("details", {}, make("summary", {}, title), list(items));
  }

  /** @param {string[]} line @param {string[]} moves */
  function startsWith(line, moves) {
    return moves.every((usi, index) => usi === line[index]);
  }
})();
