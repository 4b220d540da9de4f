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
  const { make, svg, button, enable, find } = TsumeDom;
  const { say, language } = TsumePhrases;
  const SIGNS = "①②③④";
  const board = /** @type {InstanceType<typeof TsumeBoard>} */ (find(place, "tsume-board"));
  const list = make("fieldset", { class: "tr-choices" });
  /** @type {HTMLElement[]} */
  let buttons = [];
  let [turn, offered] = /** @type {(TreeTurn | null)[]} */ ([null, null]); // at which a check can be played; whose checks are shown

  // Shows choices on the board: all that are left, if not given.
  function point(shown = buttons.filter((one) => !one.hasAttribute("aria-disabled"))) {
    if (!turn) return;
    board.show(board.position, { arrows: shown.map((one) => one.dataset.move || "") });
    const targets = shown.map((one) => TsumePosition.readMove(one.dataset.move || "").target);
    shown.forEach((one, number) => {
      const [file, rank] = targets[number];
      const before = targets.slice(0, number).filter((target) => target === targets[number]).length;
      const sign = svg("text", { x: (9 - Number(file)) * 40 + 1, y: TsumePosition.RANKS.indexOf(rank) * 44 + 15 + 26 * before, class: "tr-sign" });
      sign.textContent = SIGNS[buttons.indexOf(one)];
      board.querySelector(".tb-arrows")?.append(sign);
    });
  }

  /** @param {TreeTurn} asked */
  function offer({ checks, key }) {
    const drawn = checks.filter(({ result }) => result === "fails").map((check) => ({ check, order: Math.random() }))
      .sort((one, other) => one.order - other.order).slice(0, SIGNS.length - 1).map(({ check }) => check);
    const all = [...checks.filter(({ move }) => move === key), ...drawn].sort((one, other) => (one.move < other.move ? -1 : 1));
    if (!offered && all.length < SIGNS.length) unfit();
    buttons = all.map(({ move, text }, number) => {
      const { drop, origin, target, promotes } = TsumePosition.readMove(move);
      const phrase = drop ? "choice_drop" : promotes ? "choice_promotion" : board.position.hasChoice(origin, target) ? "choice_stay" : "choice";
      const words = say(`training.${phrase}`, { piece: TsumeNotation.pieceName(board.position.mover(move)), square: TsumeNotation.squareName(target) });
      const made = button(`${SIGNS[number]} ${TsumePhrases.sentence(words)} `, () => {
        if (made.hasAttribute("aria-disabled")) return;
        board.resume?.();
        if (turn) board.dispatchEvent(new CustomEvent("move", { detail: move }));
      }, { "data-move": move });
      made.append(make("small", {}, text[language]));
      made.onpointerenter = made.onfocus = () => point([made]);
      made.onpointerleave = made.onblur = () => point();
      return made;
    });
    list.replaceChildren(make("legend", {}, say("training.choices_question")), ...buttons);
  }

  place.classList.add("tr-choosing");
  find(place, ".tp-side").prepend(list);
  return ({ turn: now, current, moves, isSolved }) => {
    const before = turn;
    turn = now;
    board.checks = []; // only the buttons play
    place.classList.toggle("tr-asks", Boolean(turn) && !moves.length); // nothing is to be said or taken back yet
    if (isSolved) list.remove();
    const failed = current.wrong && buttons.find((one) => one.dataset.move === current.move && !one.hasAttribute("aria-disabled"));
    if (failed) {
      enable(failed, false);
      failed.prepend("✗ ");
    }
    if (!turn || turn === before) return;
    if (turn !== offered) offer(turn);
    offered = turn;
    point();
  };
};
