// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings by Glicko-2, after Mark Glickman, "Example of the Glicko-2 system" (2013), whose steps are numbered here.
// tsume/training/ratings.py does the same on the server.
"use strict";

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating on the scale of Glicko: 1500, 350 */

const TsumeGlicko2 = (function () {
  const [CENTRE, SCALE] = [1500, 173.7178]; // from the scale of Glicko to that of Glicko-2 and back
  const SYSTEM = 0.5; // τ: how much the volatility may change
  const [MIN_DEVIATION, MAX_DEVIATION] = [30, 350];
  const ACCURACY = 1e-6;
  const UNRATED = Object.freeze({ rating: 1500, deviation: 350, volatility: 0.06 });

  /**
   * The rating after one game, which is a rating period of its own and begins `periods` after the last one.
   * @param {Rating} player
   * @param {Rating} opponent
   * @param {boolean} won
   * @param {number} periods
   * @returns {Rating}
   */
  function rated(player, opponent, won, periods) {
    const mean = (player.rating - CENTRE) / SCALE; // step 2
    const deviation = player.deviation / SCALE;
    const weight = 1 / Math.sqrt(1 + 3 * (opponent.deviation / SCALE) ** 2 / Math.PI ** 2);
    const chance = 1 / (1 + Math.exp(-weight * (mean - (opponent.rating - CENTRE) / SCALE)));
    const variance = 1 / (weight ** 2 * chance * (1 - chance)); // step 3
    const surplus = weight * (Number(won) - chance);
    const volatility = newVolatility(player.volatility, deviation, variance, variance * surplus);
    const grown = Math.sqrt(deviation ** 2 + periods * volatility ** 2); // step 6
    const after = 1 / Math.sqrt(1 / grown ** 2 + 1 / variance); // step 7
    return {
      rating: CENTRE + SCALE * (mean + after ** 2 * surplus),
      deviation: Math.min(Math.max(SCALE * after, MIN_DEVIATION), MAX_DEVIATION),
      volatility,
    };
  }

  /**
   * Step 5: the new volatility, by the Illinois algorithm.
   * @param {number} before
   * @param {number} deviation
   * @param {number} variance
   * @param {number} improvement
   */
  function newVolatility(before, deviation, variance, improvement) {
    const start = Math.log(before ** 2);
    /** @param {number} x */
    const slope = (x) => {
      const power = Math.exp(x);
      const spread = deviation ** 2 + variance + power;
      return power * (improvement ** 2 - spread) / (2 * spread ** 2) - (x - start) / SYSTEM ** 2;
    };
    let [low, high] = [start, otherSide(slope, start, improvement ** 2 - deviation ** 2 - variance)];
    let [atLow, atHigh] = [slope(low), slope(high)];
    while (Math.abs(high - low) > ACCURACY) {
      const middle = low + (low - high) * atLow / (atHigh - atLow);
      const atMiddle = slope(middle);
      if (atMiddle * atHigh <= 0) [low, atLow] = [high, atHigh];
      else atLow /= 2;
      [high, atHigh] = [middle, atMiddle];
    }
    return Math.exp(low / 2);
  }

  /**
   * A point on the other side of the root than `start`.
   * @param {(x: number) => number} slope
   * @param {number} start
   * @param {number} surprise
   */
  function otherSide(slope, start, surprise) {
    if (surprise > 0) return Math.log(surprise);
    let steps = 1;
    while (slope(start - steps * SYSTEM) < 0) steps += 1;
    return start - steps * SYSTEM;
  }

  return { rated, UNRATED };
})();
