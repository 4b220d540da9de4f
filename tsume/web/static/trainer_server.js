// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer of a server: results, ratings and repetition are kept in its store (docs/board.md, "Training by the API").
// Where nobody is signed in, results are kept in this browser only. trainer_browser.js is that of a site.
"use strict";

/**
 * A result as the server takes it.
 * @typedef {{
 *   problem: number, mode: Mode, solved: boolean, moves: number, mistakes: number, hints: number, seconds: number,
 *   day?: string, completes?: number,
 * }} ResultFields
 * @typedef {{person: string, fields: ResultFields}} UnsentResult with the name of the person whose it is
 */

window.TsumeTrainer = (function () {
  const { get, post, remove, json, text } = TsumeRequests;
  const { RequestError } = TsumeErrors;
  const { remember, remembered, rememberedJson } = TsumeStorage;
  const MAX_LEFT_OUT = 200; // ids in an address
  const UNSENT = "tsume.unsent";
  const PERSON = "tsume.person"; // the name of the person who was here last
  const MAX_UNSENT = 100;

  /** @param {Response} response */
  async function identity(response) {
    const told = /** @type {Omit<Identity, "keeps">} */ (await json(response));
    remember(PERSON, told.person?.name || "");
    return { ...told, keeps: /** @type {const} */ ("server") };
  }

  /** @returns {Promise<Identity>} */
  async function me() {
    await sendUnsent().catch(() => {}); // the next time
    return identity(await get("/api/me"));
  }

  /** @param {"/api/persons" | "/api/session"} address @param {string} name @param {string} passphrase */
  async function sign(address, name, passphrase) {
    return identity(await post(address, { name, passphrase }));
  }

  async function signOut() {
    await sendUnsent().catch(() => {});
    return identity(await remove("/api/session"));
  }

  /** @param {TrainingWish} wish @returns {Promise<NextProblem>} */
  async function next(wish) {
    const query = new URLSearchParams({ mode: wish.mode });
    for (const name of /** @type {const} */ (["theme", "moves", "solved", "day", "tag", "unsolved"])) {
      if (wish[name] && String(wish[name])) query.set(name, String(wish[name])); // several values: with commas
    }
    if (wish.not?.length) query.set("not", wish.not.slice(-MAX_LEFT_OUT).join(","));
    const found = await json(await get(`/api/training/next?${query}`));
    return { ...found, problem: found.problem && inWords(found.problem) };
  }

  const inWords = (/** @type {any} */ problem) => ({ ...problem, mate_in: TsumePhrases.localized(problem.mate_in) });

  /** @param {number[]} ids */
  async function problems(ids) {
    return ids.length ? (await json(await get(`/api/training/problems?ids=${ids.slice(0, MAX_LEFT_OUT)}`))).problems.map(inWords) : [];
  }

  /**
   * Keeps a result here and, if somebody is signed in, on the server; null where nobody is. A result that cannot be sent is
   * kept until it can be.
   * @param {TrainingResult} result
   * @returns {Promise<Recorded | null>}
   */
  async function record(result) {
    TsumeResults.add(result);
    const { isSolved, problem, mode, moves, mistakes, hints, seconds, day, continues, completes } = result;
    const fields = { problem: Number(problem), mode, solved: isSolved, moves, mistakes, hints, seconds, ...(day ? { day } : {}) };
    try {
      const sent = await sendUnsent();
      const settled = completes ?? (continues ? sent.get(fields.problem) : undefined);
      return await send(settled ? { ...fields, completes: settled } : fields);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.answer?.code === "nobody") return null;
      if (error.phrase !== "web.no_answer") throw error;
      const waits = completes ? { ...fields, completes } : fields;
      keepUnsent([{ person: remembered(PERSON) || "", fields: waits }], continues);
      throw new RequestError("web.unsent");
    }
  }

  /** @param {ResultFields} fields @returns {Promise<Recorded>} */
  async function send(fields) {
    return json(await post("/api/results", fields, { keepalive: true }));
  }

  /** @returns {UnsentResult[]} */
  function unsent() {
    const stored = rememberedJson(UNSENT);
    return Array.isArray(stored) ? stored.filter((one) => one?.fields) : [];
  }

  /** @param {UnsentResult[]} some @param {boolean} [continues] the end of an attempt, whose beginning may be unsent too */
  function keepUnsent(some, continues) {
    /** @param {UnsentResult} one */
    const isBeginning = ({ fields }) =>
      continues && !fields.solved && some.some((one) => one.fields.problem === fields.problem);
    remember(UNSENT, JSON.stringify([...unsent().filter((one) => !isBeginning(one)), ...some].slice(-MAX_UNSENT)));
  }

  // Sends the results of this person that could not be sent, oldest first. Returns the numbers of these results by problem.
  async function sendUnsent() {
    /** @type {Map<number, number>} */
    const sent = new Map();
    const all = unsent();
    const waiting = all.filter(({ person }) => person === (remembered(PERSON) || ""));
    if (!waiting.length) return sent;
    remember(UNSENT, JSON.stringify(all.filter((one) => !waiting.includes(one)))); // another tab does not send them too
    while (waiting.length) {
      const { fields } = waiting[0];
      try {
        const { result } = await send(fields);
        if (result) sent.set(fields.problem, result);
      } catch (error) {
        if (error instanceof RequestError && (error.phrase === "web.no_answer" || error.answer?.code === "nobody")) {
          keepUnsent(waiting); // until there is an answer, or the person is signed in again
          throw error;
        } // what the server does not take is lost
      }
      waiting.shift();
    }
    return sent;
  }

  /** @param {TimedMode} mode @param {number} solved @param {number} seconds */
  async function recordRun(mode, solved, seconds) {
    return json(await post("/api/runs", { mode, solved, seconds }));
  }

  /** @returns {Promise<Progress>} */
  async function progress() {
    return json(await get("/api/progress"));
  }

  // The results of the person as CSV.
  async function csv() {
    return text(await get("/api/results.csv"));
  }

  return { me, sign, signOut, next, problems, record, recordRun, progress, csv };
})();
