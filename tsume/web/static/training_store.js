// SPDX-License-Identifier: GPL-3.0-or-later
// What training remembers in this browser: the rating, when problems come back, ratings of problems, the best runs.
"use strict";

/**
 * An attempt that is settled and may go on: the card before it, and when it was settled.
 * @typedef {{card: Card | null, at: string}} OpenAttempt
 */
/**
 * @typedef {{
 *   rating: Rating, ratedAt: string, results: number, cards: Record<string, Card>, problems: Record<string, Rating>,
 *   history: [day: string, rating: number][], runs: Record<string, number>, days: DayResult[],
 *   open: Record<string, OpenAttempt>,
 * }} Training cards, problems and open attempts by SFEN: a site that is made again may have other numbers
 */

const TsumeTrainingStore = (function () {
  const KEY = "tsume.training";

  /** @returns {Training} */
  function fresh() {
    return {
      rating: TsumeGlicko2.UNRATED, ratedAt: "", results: 0, cards: {}, problems: {}, history: [], runs: {}, days: [], open: {},
    };
  }

  /** @returns {Training} */
  function load() {
    const stored = TsumeStorage.rememberedJson(KEY);
    return Number.isFinite(stored?.rating?.rating) ? { ...fresh(), ...stored } : fresh();
  }

  /**
   * Changes what is remembered now: another tab may have changed it meanwhile.
   * @param {(training: Training) => void} change
   */
  function update(change) {
    const training = load();
    change(training);
    TsumeStorage.remember(KEY, JSON.stringify(training));
    return training;
  }

  return { load, update };
})();
