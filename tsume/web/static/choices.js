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
  const { say } = TsumePhrases;
  const SIGNS = "①②③④";
  const board = /** @type {InstanceType<typeof TsumeBoard>} */ (find(place, "tsume-board"));
  const list = make("fieldset", { class: "tr-choices" });
  /** @type {HTMLElement[]} */
  let buttons = [];
  let [turn, offered] = /** @type {(TreeTurn | null)[]} */ ([null, null]); // at which a check can be played; whose checks are shown

  // Shows choices on the board: that of a button, or numbers on the squares of all that are left.
  /** @param {HTMLElement} [only] */
  function point(only) {
    if (!turn) return;
    const shown = only ? [only] : buttons.filter((one) => !one.hasAttribute("aria-disabled"));
    const moves = shown.map((one) => TsumePosition.readMove(one.dataset.move || ""));
    board.show(board.position, only ? { arrows: [only.dataset.move || ""] } : { rings: moves.map(({ drop, origin }) => origin || `${drop}*`) });
    moves.forEach(({ target }, index) => {
      const same = moves.filter((other) => other.target === target);
      const isAside = same.length > 1 || board.position.squares.has(target) || Boolean(only);
      const x = (9 - Number(target[0])) * 40 + (isAside ? 10 + 20 * same.indexOf(moves[index]) : 20);
      const y = TsumePosition.RANKS.indexOf(target[1]) * 44 + (isAside ? 10 : 22);
      const number = svg("text", { x, y: y + 5.5 });
      number.textContent = String(buttons.indexOf(shown[index]) + 1);
      board.querySelector(".tb-arrows")?.append(svg("g", { class: "tr-sign" }, svg("circle", { cx: x, cy: y, r: 10.5 }), number));
    });
  }

  /** @param {TreeTurn} asked */
  function offer({ checks, key }) {
    const drawn = checks.filter(({ result }) => result === "fails").map((check) => ({ check, order: Math.random() }))
      .sort((one, other) => one.order - other.order).slice(0, SIGNS.length - 1).map(({ check }) => check);
    const all = [...checks.filter(({ move }) => move === key), ...drawn].sort((one, other) => (one.move < other.move ? -1 : 1));
    if (!offered && all.length < SIGNS.length) unfit();
    buttons = all.map(({ move }, number) => {
      const { drop, origin, target, promotes } = TsumePosition.readMove(move);
      const phrase = drop ? "choice_drop" : promotes ? "choice_promotion" : board.position.hasChoice(origin, target) ? "choice_stay" : "choice";
      const words = say(`training.${phrase}`, { piece: TsumeNotation.pieceName(board.position.mover(move)), square: TsumeNotation.squareName(target) });
      const made = button(`${SIGNS[number]} ${TsumePhrases.sentence(words)}`, () => {
        if (made.hasAttribute("aria-disabled")) return;
        board.resume?.();
        if (turn) board.dispatchEvent(new CustomEvent("move", { detail: move }));
      }, { "data-move": move });
      made.onpointerenter = made.onfocus = () => point(made);
      made.onpointerleave = made.onblur = () => point();
      return made;
    });
    list.replaceChildren(make("legend", {}, say("training.choices_question")), ...buttons);
  }

  board.addEventListener("click", ({ target, clientX }) => { // a number on the board is the button with it; two stand side by side
    const cell = /** @type {Element} */ (target).closest(".tb-cell");
    if (!cell || !turn) return;
    const meant = buttons.filter((one) => !one.hasAttribute("aria-disabled") && TsumePosition.readMove(one.dataset.move || "").target === cell.getAttribute("data-square"));
    const { left, width } = cell.getBoundingClientRect();
    meant[meant.length > 1 && clientX > left + width / 2 ? 1 : 0]?.click();
  });
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
