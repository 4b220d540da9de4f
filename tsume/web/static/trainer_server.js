// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer of a server: results, ratings and repetition are kept in its store (docs/board.md, "Training by the API").
// Where nobody is signed in, results are kept in this browser only. trainer_browser.js is that of a site.
"use strict";

window.TsumeTrainer = (function () {
  const { get, post, remove, json } = TsumeRequests;
  const { RequestError } = TsumeErrors;
  const MOST_LEFT_OUT = 200; // ids in an address

  /** @param {Response} response */
  async function identity(response) {
    const told = /** @type {Omit<Identity, "keeps">} */ (await json(response));
    return { ...told, keeps: /** @type {const} */ ("server") };
  }

  /** @returns {Promise<Identity>} */
  async function me() {
    return identity(await get("/api/me"));
  }

  /**
   * @param {"/api/persons" | "/api/session"} address
   * @param {string} name
   * @param {string} passphrase
   */
  async function sign(address, name, passphrase) {
    return identity(await post(address, { name, passphrase }));
  }

  async function signOut() {
    return identity(await remove("/api/session"));
  }

  /**
   * @param {TrainingWish} wish
   * @returns {Promise<NextProblem>}
   */
  async function next(wish) {
    const query = new URLSearchParams({ mode: wish.mode });
    for (const name of /** @type {const} */ (["theme", "moves", "solved", "day"])) {
      if (wish[name]) query.set(name, String(wish[name]));
    }
    if (wish.not?.length) query.set("not", wish.not.slice(-MOST_LEFT_OUT).join(","));
    const found = await json(await get(`/api/training/next?${query}`));
    if (found.problem) found.problem.mate_in = TsumePhrases.localized(found.problem.mate_in);
    return found;
  }

  /**
   * Keeps a result here and, if somebody is signed in, on the server; null where nobody is.
   * @param {TrainingResult} result
   * @returns {Promise<Recorded | null>}
   */
  async function record(result) {
    TsumeResults.add(result);
    const { isSolved, problem, mode, moves, mistakes, hints, seconds, day } = result;
    const fields = { problem: Number(problem), mode, solved: isSolved, moves, mistakes, hints, seconds };
    try {
      return await json(await post("/api/results", day ? { ...fields, day } : fields, { keepalive: true }));
    } catch (error) {
      if (error instanceof RequestError && error.answer?.code === "nobody") return null;
      throw error;
    }
  }

  /**
   * @param {"timed" | "survival"} mode
   * @param {number} solved
   * @param {number} seconds
   */
  async function recordRun(mode, solved, seconds) {
    return json(await post("/api/runs", { mode, solved, seconds }));
  }

  /** @returns {Promise<Progress>} */
  async function progress() {
    return json(await get("/api/progress"));
  }

  /** @returns {Promise<DayProblem[]>} */
  async function days() {
    return (await json(await get("/api/training/days"))).days;
  }

  return { me, sign, signOut, next, record, recordRun, progress, days };
})();
