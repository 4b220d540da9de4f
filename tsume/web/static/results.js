// The results of solved problems, newest last. They are kept in this browser's local storage only.
"use strict";

/** @typedef {{moves: number, seconds: number, mistakes: number, hints: number}} Result */
/** @typedef {Result & {solved: string, problem: string, sfen: string}} StoredResult */

const TsumeResults = (function () {
  const { remember, remembered } = TsumeStorage;
  const KEY = "tsume.results";
  const MAX_RESULTS = 5000;
  const FIELDS = /** @type {const} */ (["solved", "problem", "sfen", "moves", "seconds", "mistakes", "hints"]);

  /** @returns {StoredResult[]} */
  function all() {
    try {
      const stored = JSON.parse(remembered(KEY) || "[]");
      return Array.isArray(stored) ? stored.filter((result) => result && typeof result.sfen === "string") : [];
    } catch {
      return []; // the stored text is no JSON
    }
  }

  /** @param {Result & {problem: string, sfen: string}} result */
  function add(result) {
    const results = [...all(), { solved: new Date().toISOString(), ...result }].slice(-MAX_RESULTS);
    remember(KEY, JSON.stringify(results));
  }

  function forget() {
    TsumeStorage.forget(KEY);
  }

  // The number of problems solved last without mistake and hint. A problem that is solved again counts once.
  function streak() {
    const results = all().reverse();
    const end = results.findIndex(({ mistakes, hints }) => mistakes || hints);
    const clean = end < 0 ? results : results.slice(0, end);
    return new Set(clean.map(({ sfen }) => sfen)).size;
  }

  function csv() {
    /** @param {StoredResult} result */
    const row = (result) => FIELDS.map((name) => csvCell(String(result[name] ?? ""))).join(",");
    return [FIELDS.join(","), ...all().map(row)].join("\r\n") + "\r\n";
  }

  /**
   * Quotes what is not plain, and what a spreadsheet would take for a formula.
   * @param {string} value
   */
  function csvCell(value) {
    return /^[\w.:+-]*$/.test(value) && !/^[+-]/.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
  }

  return { all, add, forget, streak, csv };
})();
