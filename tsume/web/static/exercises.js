// SPDX-License-Identifier: GPL-3.0-or-later
// Exercises from one's own games, which a site without a server keeps in this browser, the last one first.
"use strict";

/** @typedef {{sfen: string, length: number, title: string}} Exercise */

const TsumeExercises = (function () {
  const { remember, rememberedJson } = TsumeStorage;
  const STORED = "tsume.exercises"; // the key in local storage

  /** @returns {Exercise[]} */
  function all() {
    const found = rememberedJson(STORED);
    return Array.isArray(found) ? found.filter((one) => typeof one?.sfen === "string" && Number.isInteger(one.length)) : [];
  }

  // Whether it is new.
  /** @param {Exercise} exercise */
  function add(exercise) {
    const known = all();
    if (known.some(({ sfen }) => sfen === exercise.sfen)) return false;
    remember(STORED, JSON.stringify([exercise, ...known]));
    return true;
  }

  return { all, add };
})();
