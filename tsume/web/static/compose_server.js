// SPDX-License-Identifier: GPL-3.0-or-later
// What the server does for the page to compose on where there is one: saving, long jobs, exports, files in any encoding, and
// verdicts until the solver in the browser is ready.
"use strict";

window.TsumeComposeServer = (function () {
  const { post, get, json, lines, diagramAddress } = TsumeRequests;
  const { say } = TsumePhrases;
  const { isAbort, RequestError } = TsumeErrors;
  const { saveProblem } = TsumeProblemSaver;
  const BUILDING_PAUSE = 2000; // milliseconds
  /** @type {Record<JobKind, string>} */
  const ADDRESSES = { mend: "/api/mending", enrich: "/api/enriching", generate: "/api/generating" };

  /**
   * The judgement of a position: of the solver in the browser once it is ready; until then, and if it fails, of the server.
   * @param {JudgementQuery} query
   * @param {{signal: AbortSignal, busy: () => void}} options
   * @returns {Promise<Judgement>}
   */
  async function judge(query, { signal, busy }) {
    TsumeLocalSolver.start().catch(() => {}); // the server judges
    if (TsumeLocalSolver.isReady) {
      try {
        return await TsumeLocalSolver.judge(query, { signal });
      } catch (error) {
        if (isAbort(error)) throw error;
      }
    }
    return json(await post("/api/judgement", query, { signal, busy }));
  }

  /**
   * Reads the problem of a text or a file.
   * @param {{text: string} | {data: string}} given
   * @param {AbortSignal} signal
   */
  async function read(given, signal) {
    return json(await post("/api/reading", given, { signal }));
  }

  /**
   * A position and its line in KIF.
   * @param {string} sfen
   * @param {string[]} line
   * @param {RecordTexts} texts
   */
  async function kif(sfen, line, texts) {
    const query = new URLSearchParams({ sfen, line: line.join(" "), format: "kif", ...texts });
    return TsumeRequests.text(await get(`/api/record?${query}`));
  }

  /** @param {string} sfen */
  async function diagram(sfen) {
    return TsumeRequests.text(await get(diagramAddress(sfen)));
  }

  /**
   * The events of a long job.
   * @param {JobKind} kind
   * @param {object} body
   * @param {{signal: AbortSignal, busy: () => void}} options
   * @returns {AsyncGenerator<JobEvent>}
   */
  async function* events(kind, body, options) {
    yield* lines(await post(ADDRESSES[kind], body, options));
  }

  // Waits until the server has the scripts of the solver, and says on the page that they are being built.
  async function solverBuilt() {
    const place = TsumeDom.find(document, ".tc-building");
    for (;;) {
      const { state, seconds } = await json(await get("/static/solver.json"));
      place.hidden = state !== "building";
      if (state === "missing") throw new RequestError("web.no_solver");
      if (state === "ready") return;
      place.textContent = say("compose.building_solver", { seconds });
      await new Promise((resolve) => { setTimeout(resolve, BUILDING_PAUSE); });
    }
  }

  return { solverBuilt, judge, read, kif, diagram, diagramAddress, events, saveProblem };
})();
