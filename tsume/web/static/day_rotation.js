// SPDX-License-Identifier: GPL-3.0-or-later
// The problem of the day: the same for everybody on the same date.
"use strict";

/** @typedef {[id: number, moves: number, rating: number, stars: number]} DayProblem */

const TsumeDays = (function () {
  // A date as text: 2026-01-31, on the calendar of this browser.
  /** @param {Date} date */
  function text(date) {
    /** @param {number} number */
    const two = (number) => String(number).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  }

  /**
   * The problem of a date; each day takes the next one of the rotation.
   * @param {DayProblem[]} rotation
   * @param {string} day
   * @returns {DayProblem | undefined}
   */
  function problemOf(rotation, day) {
    return rotation[Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000) % rotation.length];
  }

  return { text, problemOf };
})();
