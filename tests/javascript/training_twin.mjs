// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings and repetitions of the pages' scripts, a JSON line each, to be compared with those of the server.
import { createInterface } from "node:readline";
import { load } from "./scripts.mjs";

const { TsumeGlicko2, TsumeRepetition } = load(["glicko2", "repetition"], ["TsumeGlicko2", "TsumeRepetition"]);

for await (const line of createInterface({ input: process.stdin })) {
  const { game, reviews, length } = JSON.parse(line);
  console.log(JSON.stringify(game ? rated(game) : repeated(reviews, length)));
}

function rated({ player, opponent, won, periods }) {
  return TsumeGlicko2.rated(player, opponent, won, periods);
}

function repeated(reviews, length) {
  let card;
  return reviews.map(({ result, now }) => {
    card = TsumeRepetition.reviewed(card, TsumeRepetition.gradeOf(result, length), new Date(now));
    return { due: card.due, failed: card.failed };
  });
}
