// SPDX-License-Identifier: GPL-3.0-or-later
// What a person is told of a text that was read, or could not be read.
"use strict";

const TsumeReadingReport = (function () {
  const { say } = TsumePhrases;
  /** @typedef {InstanceType<typeof TsumeErrors.RequestError>} RequestError */

  /** @param {ReadProblem} problem */
  function success({ position, moves, noMove, title, more }) {
    const playable = new TsumeMoveLine(position, moves).moves.length;
    const parts = [title ? say("compose.title_read", { title }) : say("compose.text_read")];
    if (noMove !== null) parts.push(say("compose.no_move", { text: noMove }));
    else if (playable < moves.length) parts.push(say("compose.unplayable", { number: playable + 1, text: moves[playable] }));
    if (more) parts.push(say("compose.first_of_several"));
    return parts.join(" ");
  }

  /** @param {RequestError} error */
  function failure(error) {
    return error.phrase ? error.message : say("compose.unreadable", { fault: error.message });
  }

  return { success, failure };
})();
