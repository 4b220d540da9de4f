// SPDX-License-Identifier: GPL-3.0-or-later
// The solver in the browser, in a worker of its own: loaded when it is first asked, one for the page. It answers as the
// server's API does. Its scripts are loaded by elements, so that pages opened as files can load them, too. What only
// reads or writes a text is asked of a second solver while the first one is busy: a search may take 20 seconds.
"use strict";

const TsumeLocalSolver = (function () {
  const { RequestError, isAbort } = TsumeErrors;
  const { addScript } = TsumeDom;
  const { api = "", worker = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset; // addresses
  const MEMORY = 64; // MB
  const TEXTS = { kinds: ["reading", "kif", "diagram"], memory: 16 }; // no search: the smallest tables
  /** @type {Promise<InstanceType<typeof Tsume.Solver>> | null} */
  let loading = null;
  let ready = false;
  let running = 0; // requests that the first solver has not answered
  /** @type {InstanceType<typeof Tsume.Solver> | null} */
  let second = null;

  /**
   * Loads the solver unless that has begun. Rejects with a RequestError; a later call tries again.
   */
  function start() {
    loading ||= load().catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  async function load() {
    if (!api || !("WebAssembly" in window && "Worker" in window)) throw new RequestError("web.no_solver");
    try {
      if (window.TsumeComposeServer) await window.TsumeComposeServer.solverBuilt();
      await Promise.all([addScript(worker), addScript(api)]);
      Tsume.networkAddress = api.replace("tsume.js", "tsume-network.js"); // of the same version
      const solver = new Tsume.Solver({ memory: MEMORY });
      await solver.ready;
      ready = true;
      return solver;
    } catch (error) {
      throw Object.assign(new RequestError("web.solver_failed"), { cause: error });
    }
  }

  // What a failed request rejects with: a RequestError, unless it was stopped.
  /** @param {unknown} error */
  function failure(error) {
    if (isAbort(error)) return error;
    const { code = "input" } = /** @type {{code?: string}} */ (error);
    if (code !== "input") return Object.assign(new RequestError("web.solver_lost"), { cause: error });
    return new RequestError(null, { message: error instanceof Error ? error.message : String(error) });
  }

  /**
   * What the solver answers. Rejects with a RequestError, or with an AbortError if it was stopped.
   * @param {string} kind
   * @param {SolverFields} fields
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<any>} as the server's API, whose types the pages have
   */
  async function ask(kind, fields, { signal } = {}) {
    const first = await start();
    const solver = running && TEXTS.kinds.includes(kind) ? second ||= new Tsume.Solver({ memory: TEXTS.memory }) : first;
    if (solver === first) running += 1;
    try {
      signal?.throwIfAborted();
      return await solver.ask(/** @type {any} */ (kind), fields, { signal });
    } catch (error) {
      throw failure(error);
    } finally {
      if (solver === first) running -= 1;
    }
  }

  /**
   * What a solver of its own answers, so that verdicts need not wait. Rejects as `ask` does.
   * @param {string} kind
   * @param {SolverFields} fields
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<any>}
   */
  async function askApart(kind, fields, { signal } = {}) {
    await start(); // the scripts
    signal?.throwIfAborted();
    const solver = new Tsume.Solver({ memory: MEMORY });
    try {
      return await solver.ask(/** @type {any} */ (kind), fields, { signal });
    } catch (error) {
      throw failure(error);
    } finally {
      solver.close();
    }
  }

  /**
   * The events of a long job, by a solver of its own. Rejects as `ask` does.
   * @param {string} kind
   * @param {object} fields
   * @param {{signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<any>}
   */
  async function* stream(kind, fields, { signal } = {}) {
    await start(); // the scripts
    const solver = new Tsume.Solver({ memory: MEMORY });
    try {
      yield* solver.stream(/** @type {any} */ (kind), /** @type {any} */ (fields), { signal });
    } catch (error) {
      throw failure(error);
    } finally {
      solver.close();
    }
  }

  /**
   * The judgement of a position. `begun` is called when the solver is loaded.
   * @param {TimedQuery} query
   * @param {{signal: AbortSignal, begun?: () => void}} options
   * @returns {Promise<Judgement>}
   */
  async function judge({ sfen, line, seconds }, { signal, begun }) {
    await start();
    begun?.();
    return ask("judgement", { sfen, ...(line ? { line: line.split(" ") } : {}), ...(seconds ? { seconds } : {}) }, { signal });
  }

  return { start, ask, askApart, stream, judge, get isReady() { return ready; } };
})();
