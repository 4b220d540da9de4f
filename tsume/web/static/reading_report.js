// SPDX-License-Identifier: GPL-3.0-or-later
// What a person is told of a text that was read, or could not be read.
"use strict";

const TsumeReadingReport = (function () {
  const { language, say } = TsumePhrases;
  /** @type {[RegExp, string][]} */
  const PLACES = [ // in the messages of the reader, which are in English
    [/(\d+) of (pawn|lance|knight|silver|gold|bishop|rook), a set has/, "compose.too_many_pieces"], [/()(king|pawns on|cannot move|a set has)/, "compose.illegal_placement"],
    [/^line (\d+): .*?'(.+?)(?: +\( .*)?'/, "compose.at_line_text"], [/^line (\d+):/, "compose.at_line"],
    [/^board has (\d+) ranks/, "compose.of_ranks"], [/^board, rank (\d+):/, "compose.at_rank"],
    [/no board/, "compose.no_board"], [/^hands/, "compose.at_hands"], [/^side to move/, "compose.at_turn"],
  ];
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
    return error.phrase ? error.message : say("compose.unreadable", { fault: faultOf(error.message) });
  }

  // The message of the reader; where its English is not the page's language, only the place that cannot be read.
  /** @param {string} message */
  function faultOf(message) {
    if (language === "en") return message;
    for (const [pattern, phrase] of PLACES) {
      const [found, number, text] = pattern.exec(message) || [];
      if (found === undefined) continue;
      const kind = text === "knight" ? "N" : (text || "").charAt(0).toUpperCase(); // of too many pieces
      return say(phrase, { number, text, piece: phrase === "compose.too_many_pieces" ? TsumeNotation.pieceName(kind) : "" });
    }
    return say("compose.at_unknown");
  }

  return { success, failure };
})();
