// SPDX-License-Identifier: GPL-3.0-or-later
// The results of this browser, newest last. They are kept in its local storage only.
"use strict";

/** @typedef {{isSolved: boolean, moves: number, seconds: number, mistakes: number, hints: number}} Result */
/** @typedef {"free" | "training" | "review" | "timed" | "survival" | "choices" | "day"} Mode */
/**
 * @typedef {Omit<Result, "isSolved"> & {solved: string, ended: string, mode: Mode, problem: string, sfen: string}} StoredResult
 *   solved, ended: times; the first is empty if the problem was not solved
 */

const TsumeResults = (function () {
  const { remember, rememberedJson } = TsumeStorage;
  const KEY = "tsume.results";
  const MAX_RESULTS = 5000;
  const FIELDS = /** @type {const} */ (
    ["solved", "problem", "sfen", "moves", "seconds", "mistakes", "hints", "ended", "mode"]
  );

  /** @returns {StoredResult[]} */
  function all() {
    const stored = rememberedJson(KEY);
    if (!Array.isArray(stored)) return [];
    return stored.filter((result) => result && typeof result.sfen === "string").map(completed);
  }

  // A result as it is stored now: before, only solved problems were stored.
  /** @param {StoredResult} result */
  function completed(result) {
    return { ...result, ended: result.ended || result.solved, mode: result.mode || "free" };
  }

  // Adds a result; one that `continues` replaces that of the same attempt, which its first mistake or hint has settled.
  /** @param {Result & {problem: string, sfen: string, mode?: Mode, continues?: boolean}} result */
  function add({ isSolved, mode = "free", problem, sfen, moves, seconds, mistakes, hints, continues = false }) {
    const [results, ended] = [all(), new Date().toISOString()];
    const stored = { solved: isSolved ? ended : "", problem, sfen, moves, seconds, mistakes, hints, ended, mode };
    const last = results.map((one) => one.sfen).lastIndexOf(sfen);
    const settled = results[last];
    if (continues && settled && !settled.solved && settled.mistakes + settled.hints) results[last] = { ...stored, mode: settled.mode };
    else results.push(stored);
    remember(KEY, JSON.stringify(results.slice(-MAX_RESULTS)));
  }

  function forget() {
    TsumeStorage.forget(KEY);
  }

  // The positions of the problems that were solved.
  function solvedPositions() {
    return new Set(all().filter(({ solved }) => solved).map(({ sfen }) => sfen));
  }

  // Whether a problem was solved without mistake and hint.
  /** @param {StoredResult} result */
  function isClean({ solved, mistakes, hints }) {
    return Boolean(solved) && !mistakes && !hints;
  }

  // The number of problems solved last without mistake and hint. A problem that is solved again counts once.
  function streak() {
    const results = all().reverse();
    const end = results.findIndex((result) => !isClean(result));
    const clean = end < 0 ? results : results.slice(0, end);
    return new Set(clean.map(({ sfen }) => sfen)).size;
  }

  function csv() {
    /** @param {StoredResult} result */
    const row = (result) => FIELDS.map((name) => csvCell(String(result[name] ?? ""))).join(",");
    return [FIELDS.join(","), ...all().map(row)].join("\r\n") + "\r\n";
  }

  // Quotes what is not plain, and what a spreadsheet would take for a formula.
  /** @param {string} value */
  function csvCell(value) {
    return /^[\w.:+-]*$/.test(value) && !/^[+-]/.test(value) ? value : `"${value.replaceAll('"', '""')}"`;
  }

  return { all, add, forget, solvedPositions, isClean, streak, csv };
})();
