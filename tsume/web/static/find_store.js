// SPDX-License-Identifier: GPL-3.0-or-later
// What long jobs have found, in local storage: it survives a reload until the next job, or until it is cleared.
"use strict";

const TsumeFindStore = (function () {
  const { remember, rememberedJson, forget } = TsumeStorage;
  const { readSfen } = TsumeSfen;
  const STORED = "tsume.finds"; // the key in local storage
  const MAX_FINDS = 60; // stored; a job finds 50 problems at most
  /** @type {(keyof Find)[]} */
  const FIELDS = ["event", "sfen", "line", "text", "length", "grade", "blemishes", "rating", "stars", "rank_in_length", "quality", "gain"];

  /** @param {Find[]} finds */
  function store(finds) {
    const kept = finds.slice(0, MAX_FINDS).map((find) => Object.fromEntries(FIELDS.map((name) => [name, find[name]])));
    if (kept.length) remember(STORED, JSON.stringify(kept));
    else forget(STORED);
  }

  /** @returns {Find[]} without those that are damaged */
  function stored() {
    const kept = rememberedJson(STORED);
    return Array.isArray(kept) ? kept.filter((find) => typeof find?.sfen === "string" && readSfen(find.sfen) !== null) : [];
  }

  return { store, stored };
})();
