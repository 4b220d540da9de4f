// SPDX-License-Identifier: GPL-3.0-or-later
// What a hint shows: the piece to move first, then also its square, then the move.
"use strict";

const TsumeHints = (function () {
  const { readMove } = TsumePosition;
  const { language } = TsumePhrases;
  const { squareName, pieceName } = TsumeNotation;

  /**
   * The next hint of an attempt, null if there is none: marks on the board and a phrase.
   * @param {InstanceType<typeof TsumeAttempt>} attempt
   * @returns {{marks: ShowOptions, phrase: string, parts: Record<string, string>} | null}
   */
  function next(attempt) {
    const hint = attempt.hint();
    if (!hint) return null;
    const { drop, origin, target } = readMove(hint.key);
    const from = drop ? drop + "*" : origin;
    if (hint.level === 1) {
      const name = pieceName(attempt.current.position.mover(hint.key));
      const piece = drop ? name : `${squareName(origin)} ${name}`;
      return { marks: { rings: [from] }, phrase: drop ? "web.hint_drop" : "web.hint_piece", parts: { piece } };
    }
    const rings = [from, target];
    if (hint.level === 2) return { marks: { rings }, phrase: "web.hint_square", parts: { square: squareName(target) } };
    return { marks: { rings, arrows: [hint.key] }, phrase: "web.hint_move", parts: { check: hint.text[language] } };
  }

  return { next };
})();
