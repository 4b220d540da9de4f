// SPDX-License-Identifier: GPL-3.0-or-later
// The solver: requests wait in a queue, one worker answers them. The types are in tsume.d.ts.
"use strict";

/**
 * @typedef {import("./tsume.d.ts").RequestOptions} RequestOptions
 * @typedef {{worker: WorkerHandle | null, isReady: boolean}} Session the life of one worker
 */

const TsumeSolver = (function () {
  const { TsumeError, unavailable, programFile, networkFile, launch } = TsumeWorkers;
  const { EventQueue, deferred } = TsumeWaiting;
  const { givenOptions, requireRequest, pendingRequest, listen, abortError } = TsumePending;
  const MEMORY = 64, MIN_MEMORY = 16, MAX_MEMORY = 2048; // megabytes
  const SEEDS = 2 ** 32;
  const NETWORK_MISSING = "NetworkMissing"; // the name of the error of a request that needs the network

  class Solver {
    #memory;
    #givenProgram;
    #givenNetwork;
    /** @type {WebAssembly.Module | null} */
    #compiled = null;
    /** @type {Session | null} */
    #session = null;
    /** @type {PendingRequest[]} */
    #queue = []; // the first one runs if #isRunning
    #isRunning = false;
    #isClosed = false;
    #ids = 0;
    #ready = deferred();

    /** @param {import("./tsume.d.ts").SolverOptions} [options] */
    constructor(options) {
      const { memory = MEMORY, worker, network: data, ...others } = givenOptions(options);
      if (!Number.isInteger(memory) || memory < MIN_MEMORY || memory > MAX_MEMORY) {
        throw new TsumeError(`memory: a whole number from ${MIN_MEMORY} to ${MAX_MEMORY} is needed`, "input");
      }
      for (const name of Object.keys(others)) throw new TsumeError(`${name}: unknown option`, "input");
      this.#memory = memory;
      this.#givenProgram = worker;
      this.#givenNetwork = data;
      this.#start();
    }

    get ready() {
      return this.#ready.promise;
    }

    /** @type {import("./tsume.d.ts").Solver["solve"]} */
    solve(sfen, options) {
      return this.#askAbout("solve", sfen, options);
    }

    /** @type {import("./tsume.d.ts").Solver["check"]} */
    check(sfen, options) {
      return this.#askAbout("check", sfen, options);
    }

    /** @type {import("./tsume.d.ts").Solver["tree"]} */
    tree(sfen, options) {
      return this.#askAbout("tree", sfen, options);
    }

    /** @type {import("./tsume.d.ts").Solver["explain"]} */
    explain(sfen, options) {
      return this.#askAbout("explain", sfen, options);
    }

    /** @type {import("./tsume.d.ts").Solver["mend"]} */
    mend(sfen, options) {
      return this.#streamAbout("mend", { sfen }, options);
    }

    /** @type {import("./tsume.d.ts").Solver["enrich"]} */
    enrich(sfen, options) {
      return this.#streamAbout("enrich", { sfen }, options);
    }

    /** @type {import("./tsume.d.ts").Solver["games"]} */
    games(text, options) {
      return this.#streamAbout("games", { text }, options);
    }

    /** @type {import("./tsume.d.ts").Solver["generate"]} */
    generate(options) {
      return this.#streamAbout("generate", { seed: options?.seed ?? Math.floor(Math.random() * SEEDS) }, options);
    }

    /**
     * @param {string} kind
     * @param {object} [fields]
     * @param {RequestOptions} [options]
     * @returns {Promise<any>}
     */
    async ask(kind, fields = {}, options) {
      return this.#request(kind, fields, null, givenOptions(options).signal);
    }

    /**
     * @param {string} kind
     * @param {object} [fields]
     * @param {RequestOptions} [options]
     * @returns {AsyncGenerator<any, void>}
     */
    async* stream(kind, fields = {}, options) {
      const { signal } = givenOptions(options);
      requireRequest(kind, fields, signal);
      signal?.throwIfAborted();
      const control = new AbortController();
      const abort = () => control.abort(signal?.reason);
      signal?.addEventListener("abort", abort);
      const events = new EventQueue();
      this.#request(kind, fields, (event) => events.put(event), control.signal).then(
        () => events.end(),
        (error) => events.fail(error, error instanceof TsumeError),
      );
      try {
        while (await events.more()) yield events.take();
      } finally { // also if the caller leaves its loop
        signal?.removeEventListener("abort", abort);
        control.abort();
      }
    }

    /**
     * @param {string} kind
     * @param {object} fields
     * @param {OnEvent | null} event
     * @param {AbortSignal} [signal]
     * @returns {Promise<any>}
     */
    async #request(kind, fields, event, signal) {
      requireRequest(kind, fields, signal);
      if (this.#isClosed) throw new TsumeError("the solver is closed", "closed");
      signal?.throwIfAborted();
      if (!this.#session) this.#start();
      return new Promise((resolve, reject) => {
        const request = pendingRequest({ id: ++this.#ids, kind, fields, event, resolve, reject });
        listen(request, signal, (reason) => this.#abort(request, reason));
        this.#queue.push(request);
        this.#next();
      });
    }

    stop() {
      const stopped = this.#queue;
      this.#queue = [];
      if (this.#isRunning) this.#restart();
      for (const request of stopped) request.reject(abortError());
    }

    close() {
      this.#isClosed = true;
      this.#end();
      this.#ready.reject(abortError());
      this.stop();
    }

    /**
     * @param {string} kind
     * @param {string} sfen
     * @param {RequestOptions} [options]
     */
    async #askAbout(kind, sfen, options) {
      const { signal, ...fields } = givenOptions(options);
      return this.ask(kind, { ...fields, sfen }, { signal });
    }

    /**
     * @param {string} kind
     * @param {object} about
     * @param {RequestOptions} [options]
     */
    async* #streamAbout(kind, about, options) {
      const { signal, ...fields } = givenOptions(options);
      yield* this.stream(kind, { ...fields, ...about }, { signal });
    }

    // The worker and its replacement.

    #start() {
      /** @type {Session} */
      const session = { worker: null, isReady: false };
      this.#session = session;
      if (this.#ready.isSettled) this.#ready = deferred();
      this.#launch(session).catch((error) => this.#fail(session, unavailable(error)));
    }

    /** @param {Session} session */
    async #launch(session) {
      const content = await programFile.content(this.#givenProgram);
      if (this.#session !== session) return;
      session.worker = launch(content, {
        message: (message) => { if (this.#session === session) this.#receive(session, message); },
        failure: (message) => this.#fail(session, unavailable(message)),
      });
      session.worker.post({ start: { memory: this.#memory, module: this.#compiled ?? content.module } });
    }

    #end() {
      this.#session?.worker?.terminate();
      this.#session = null;
      this.#isRunning = false;
    }

    #restart() {
      this.#end();
      this.#start();
    }

    /**
     * The worker cannot be started, or has crashed.
     * @param {Session} session
     * @param {Error} error
     */
    #fail(session, error) {
      if (this.#session !== session) return;
      const wasReady = session.isReady;
      const retries = wasReady || this.#compiled !== null; // a module of an older worker may be of no use
      if (!wasReady) this.#compiled = null;
      const failing = wasReady ? Number(this.#isRunning) : retries ? 0 : this.#queue.length;
      const failed = this.#queue.splice(0, failing);
      this.#end();
      if (retries) this.#start();
      else this.#ready.reject(error);
      const reason = wasReady ? new TsumeError(`the worker crashed: ${error.message}`, "crashed") : error;
      for (const request of failed) request.reject(reason);
    }

    // Requests and answers.

    #next() {
      const { worker = null, isReady = false } = this.#session ?? {};
      worker?.hold(!isReady || this.#queue.length > 0);
      if (!worker || !isReady || this.#isRunning || !this.#queue.length) return;
      const { id, kind, fields, event, reject } = this.#queue[0];
      try {
        worker.post({ id, kind, fields, stream: event !== null });
        this.#isRunning = true;
      } catch (error) { // fields that cannot be sent to a worker
        this.#queue.shift();
        reject(new TsumeError(error instanceof Error ? error.message : String(error), "input"));
        this.#next();
      }
    }

    /**
     * @param {Session} session
     * @param {WorkerMessage} message
     */
    #receive(session, { ready, compiled, id, event, answer, error, broken }) {
      if (compiled) this.#compiled = compiled;
      if (broken) {
        this.#fail(session, unavailable(error?.message ?? ""));
      } else if (ready) {
        session.isReady = true;
        this.#ready.resolve(undefined);
        this.#next();
      } else if (event !== undefined) {
        if (id === this.#queue[0]?.id) this.#queue[0].event?.(event);
      } else if (id !== undefined && id === this.#queue[0]?.id && error?.name === NETWORK_MISSING) {
        this.#sendNetwork(session, this.#queue[0]);
      } else if (id !== undefined && id === this.#queue[0]?.id) {
        const [request] = this.#queue.splice(0, 1);
        this.#isRunning = false;
        if (error) request.reject(new TsumeError(error.message, "input"));
        else request.resolve(answer);
        this.#next();
      }
    }

    /**
     * Ask again, with the network; without it if it cannot be loaded.
     * @param {Session} session
     * @param {PendingRequest} request
     */
    async #sendNetwork(session, request) {
      const found = await networkFile.content(this.#givenNetwork).catch(() => null);
      if (this.#session !== session || this.#queue[0] !== request) return;
      if (found) session.worker?.post({ network: { layout: found.layout, data: found.data } });
      else request.fields = { ...request.fields, network: false };
      this.#isRunning = false;
      this.#next();
    }

    /**
     * @param {PendingRequest} request
     * @param {unknown} reason
     */
    #abort(request, reason) {
      const runs = this.#isRunning && this.#queue[0] === request;
      this.#queue = this.#queue.filter((other) => other !== request);
      if (runs) this.#restart();
      else this.#next();
      request.reject(reason);
    }
  }

  return { Solver };
})();
