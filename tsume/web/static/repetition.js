// SPDX-License-Identifier: GPL-3.0-or-later
// When a problem comes back: spaced repetition by FSRS-6 with its default parameters, as the server has it
// (tsume/training/trainer.py). There are no learning steps: a problem comes back after a day at the earliest.
// Source: open-spaced-repetition, "The Algorithm" of FSRS.
"use strict";

/** @typedef {1 | 2 | 3 | 4} Grade again, hard, good, easy */
/** @typedef {{stability: number, difficulty: number, reviewed: string, due: string, failed: boolean}} Card times in ISO */

const TsumeRepetition = (function () {
  const W = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796,
    1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
  ];
  const RETENTION = 0.9; // wanted when a problem comes back
  const FACTOR = RETENTION ** (-1 / W[20]) - 1;
  const MIN_STABILITY = 0.001; // days
  const MAX_DAYS = 36500;
  const DAY = 86_400_000; // milliseconds
  const FAST_SECONDS = 5; // for each of the solver's moves of a problem that was easy
  const [AGAIN, HARD, GOOD, EASY] = /** @type {Grade[]} */ ([1, 2, 3, 4]);

  /**
   * How well a problem of `length` plies was remembered.
   * @param {Result} result
   * @param {number} length
   */
  function gradeOf({ isSolved, mistakes, hints, seconds }, length) {
    if (!isSolved || mistakes) return AGAIN;
    if (hints) return HARD;
    return seconds <= FAST_SECONDS * Math.floor((length + 1) / 2) ? EASY : GOOD;
  }

  /**
   * The card after an attempt; `card` is undefined for the first one.
   * @param {Card | undefined} card
   * @param {Grade} grade
   * @param {Date} now
   * @returns {Card}
   */
  function reviewed(card, grade, now) {
    const days = card ? Math.max(0, Math.floor((now.getTime() - Date.parse(card.reviewed)) / DAY)) : 0;
    const stability = Math.max(card ? nextStability(card, grade, days) : W[grade - 1], MIN_STABILITY);
    const difficulty = Math.min(Math.max(card ? nextDifficulty(card.difficulty, grade) : firstDifficulty(grade), 1), 10);
    const due = new Date(now.getTime() + interval(stability) * DAY).toISOString();
    const failed = grade === AGAIN || grade === HARD;
    return { stability, difficulty, reviewed: now.toISOString(), due, failed };
  }

  // The stability is the number of days after which as many are remembered as is wanted.
  /** @param {number} stability */
  function interval(stability) {
    return Math.min(Math.max(roundedHalfToEven(stability), 1), MAX_DAYS);
  }

  // As Python rounds, so that the page and the server name the same day.
  /** @param {number} value */
  function roundedHalfToEven(value) {
    const below = Math.floor(value);
    if (value - below !== 0.5) return Math.round(value);
    return below % 2 ? below + 1 : below;
  }

  /** @param {Grade} grade */
  function firstDifficulty(grade) {
    return W[4] - Math.exp(W[5] * (grade - 1)) + 1;
  }

  /** @param {number} difficulty @param {Grade} grade */
  function nextDifficulty(difficulty, grade) {
    const damped = difficulty - W[6] * (grade - 3) * (10 - difficulty) / 9;
    return W[7] * firstDifficulty(EASY) + (1 - W[7]) * damped;
  }

  /** @param {Card} card @param {Grade} grade @param {number} days since the last review */
  function nextStability({ stability, difficulty }, grade, days) {
    if (days < 1) return sameDayStability(stability, grade);
    const retrievability = (1 + FACTOR * days / stability) ** -W[20];
    if (grade === AGAIN) {
      const forgotten = W[11] * difficulty ** -W[12] * ((stability + 1) ** W[13] - 1) * Math.exp((1 - retrievability) * W[14]);
      return Math.min(forgotten, stability / Math.exp(W[17] * W[18]));
    }
    const growth = Math.exp(W[8]) * (11 - difficulty) * stability ** -W[9] * (Math.exp((1 - retrievability) * W[10]) - 1);
    return stability * (1 + growth * (grade === HARD ? W[15] : 1) * (grade === EASY ? W[16] : 1));
  }

  /** @param {number} stability @param {Grade} grade */
  function sameDayStability(stability, grade) {
    const growth = Math.exp(W[17] * (grade - 3 + W[18])) * stability ** -W[19];
    return stability * (grade === AGAIN ? growth : Math.max(growth, 1));
  }

  return { gradeOf, reviewed };
})();
