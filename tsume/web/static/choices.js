// SPDX-License-Identifier: GPL-3.0-or-later
// Checks to choose from, beside the board: the one that mates and up to three that fail.
"use strict";

/**
 * Shows the choices of each turn. The function that is returned follows the attempt.
 * @param {HTMLElement} place of the player
 * @param {() => void} unfit called if the first turn has too few checks
 * @returns {(attempt: InstanceType<typeof TsumeAttempt>) => void}
 */
const TsumeChoices = function (place, unfit) {
  const { make, button, enable, find } = TsumeDom;
  const { say, language } = TsumePhrases;
  const SIGNS = "①②③④";
  const board = /** @type {InstanceType<typeof TsumeBoard>} */ (find(place, "tsume-board"));
  const list = make("fieldset", { class: "tr-choices" });
  /** @type {HTMLElement[]} */
  let buttons = [];
  let [turn, offered] = /** @type {(TreeTurn | null)[]} */ ([null, null]); // at which a check can be played; whose checks are shown

  // Shows choices on the board: all that are left, if not given.
  function point(shown = buttons.filter((one) => !one.hasAttribute("aria-disabled"))) {
    if (turn) board.show(board.position, { arrows: shown.map((one) => one.dataset.move || "") });
  }

  /** @param {TreeTurn} asked */
  function offer({ checks, key }) {
    const drawn = checks.filter(({ result }) => result === "fails").map((check) => ({ check, order: Math.random() }))
      .sort((one, other) => one.order - other.order).slice(0, SIGNS.length - 1).map(({ check }) => check);
    const all = [...checks.filter(({ move }) => move === key), ...drawn].sort((one, other) => (one.move < other.move ? -1 : 1));
    if (!offered && all.length < SIGNS.length) unfit();
    buttons = all.map(({ move, text }, number) => {
      const parts = { move: text[language], piece: TsumeNotation.pieceName(board.position.mover(move)), square: TsumeNotation.squareName(TsumePosition.readMove(move).target) };
      const made = button(`${SIGNS[number]} ${say("training.choice", parts)}`, () => {
        if (made.hasAttribute("aria-disabled")) return;
        board.resume?.();
        if (turn) board.dispatchEvent(new CustomEvent("move", { detail: move }));
      }, { "data-move": move });
      made.onpointerenter = made.onfocus = () => point([made]);
      made.onpointerleave = made.onblur = () => point();
      return made;
    });
    list.replaceChildren(make("legend", {}, say("training.choices_question")), ...buttons);
  }

  find(place, ".tp-side").prepend(list);
  return ({ turn: now, current, isSolved }) => {
    const before = turn;
    turn = now;
    board.checks = []; // only the buttons play
    if (isSolved) list.remove();
    const failed = current.wrong && buttons.find((one) => one.dataset.move === current.move && !one.hasAttribute("aria-disabled"));
    if (failed) {
      enable(failed, false);
      failed.append(" ✗");
    }
    if (!turn || turn === before) return;
    if (turn !== offered) offer(turn);
    offered = turn;
    point();
  };
};
