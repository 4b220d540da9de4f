// tsume 0.2.0.dev0+e47a3999, GPL-3.0-or-later. Built by scripts/wasm from the sources of tsume.
"use strict";
(function () {
// SPDX-License-Identifier: GPL-3.0-or-later
// Where the worker program and the network come from, and the workers of pages and of Node.js.
"use strict";

/**
 * @typedef {import("./tsume.d.ts").TsumeWorkerProgram} WorkerProgram
 * @typedef {import("./tsume.d.ts").TsumeNetworkData} NetworkData
 * @typedef {{ready?: true, compiled?: WebAssembly.Module, id?: number, event?: unknown,
 *   answer?: unknown, error?: {name: string, message: string}, broken?: boolean}} WorkerMessage
 *   compiled: may be given to the next worker; event: one of several before the answer; broken: the worker has
 *   to be replaced
 * @typedef {{post(message: unknown): void, hold(isNeeded: boolean): void, terminate(): void}} WorkerHandle
 *   hold: in Node.js, whether the worker keeps the process alive
 * @typedef {{message: (message: WorkerMessage) => void, failure: (message: string) => void}} WorkerListener
 */

const TsumeWorkers = (function () {
  const VERSION = "0.2.0.dev0+e47a3999";
  const BLOCKED = "the worker cannot be started; a Content-Security-Policy must allow " +
    "worker-src blob: and script-src 'wasm-unsafe-eval'";
  const isPage = typeof document === "object";
  const ownScript = isPage ? /** @type {HTMLScriptElement | null} */ (document.currentScript) : null;
  class TsumeError extends Error {
    /**
     * @param {string} message
     * @param {import("./tsume.d.ts").TsumeErrorCode} code
     */
    constructor(message, code) {
      super(message);
      this.name = "TsumeError";
      this.code = code;
    }
  }

  /**
   * What stands for the reason why there is no worker.
   * @param {unknown} reason an error or a message
   */
  function unavailable(reason) {
    if (reason instanceof TsumeError) return reason;
    return new TsumeError(reason instanceof Error ? reason.message : String(reason), "unavailable");
  }

  // --- the files beside tsume.js ------------------------------------------------------------------------

  /**
   * A file beside tsume.js, loaded once: a script that defines an object with a version.
   * @template {{version: string}} Content
   */
  class SiblingFile {
    /** @type {Promise<Content> | null} */
    #loading = null;

    /**
     * @param {string} file its name
     * @param {string} global the name that it defines
     * @param {string} option of a solver that is given its content
     * @param {string} version that fits
     */
    constructor(file, global, option, version) {
      this.file = file;
      this.global = global;
      this.option = option;
      this.version = version;
      this.address = () => /** @type {string | undefined} */ (undefined); // where a page has it
      /** @type {(() => Content | Promise<Content>) | null} */
      this.load = null; // how Node.js and bundlers find it
    }

    /**
     * @param {Content} [given]
     * @returns {Promise<Content>}
     */
    async content(given) {
      const found = given ?? this.#defined ?? await this.#loaded();
      if (found?.version !== this.version) {
        const versions = `${this.file} has version ${found?.version}, tsume.js needs ${this.version}`;
        throw new TsumeError(`${versions}: take all files from one release`, "unavailable");
      }
      return found;
    }

    get #defined() {
      return /** @type {Record<string, Content | undefined>} */ (/** @type {unknown} */ (globalThis))[this.global];
    }

    #loaded() {
      const { load } = this;
      this.#loading ??= (load ? Promise.resolve().then(load) : this.#loadScript()).catch((error) => {
        this.#loading = null; // the next one tries again
        throw error;
      });
      return this.#loading;
    }

    /** @returns {Promise<Content>} */
    #loadScript() {
      const address = this.address() ?? (ownScript?.src && new URL(this.file, ownScript.src).href);
      if (!isPage || !address) {
        const message = `load ${this.file} first, or pass it as the option ${this.option}`;
        return Promise.reject(new TsumeError(message, "unavailable"));
      }
      return new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = address;
        script.onload = () => resolve(/** @type {Content} */ (this.#defined));
        script.onerror = () => reject(new TsumeError(`cannot load ${address}`, "unavailable"));
        document.head.append(script);
      });
    }
  }

  /** @type {SiblingFile<WorkerProgram>} */
  const programFile = new SiblingFile("tsume-worker.js", "TsumeWorker", "worker", VERSION);
  /** @type {SiblingFile<NetworkData>} */
  const networkFile = new SiblingFile("tsume-network.js", "TsumeNetwork", "network", "19a9147e");

  // --- workers of pages and of Node.js ----------------------------------------------------------------

  /** @type {WeakMap<WorkerProgram, string>} */
  const blobs = new WeakMap(); // one Blob for each program, as workers are replaced

  /**
   * @param {WorkerProgram} program
   * @param {WorkerListener} listener
   * @returns {WorkerHandle}
   */
  function launch(program, listener) {
    return typeof Worker === "function" ? launchInPage(program, listener) : launchInNode(program, listener);
  }

  /**
   * @param {WorkerProgram} program
   * @param {WorkerListener} listener
   * @returns {WorkerHandle}
   */
  function launchInPage(program, listener) {
    let address = blobs.get(program);
    if (!address) {
      address = URL.createObjectURL(new Blob([program.source], { type: "text/javascript" }));
      blobs.set(program, address);
    }
    const worker = pageWorker(address);
    worker.onmessage = ({ data }) => listener.message(data);
    worker.onerror = (event) => {
      event.preventDefault();
      listener.failure(event.message || BLOCKED);
    };
    return { post: (message) => worker.postMessage(message), hold() {}, terminate: () => worker.terminate() };
  }

  // A policy makes the constructor throw in WebKit; elsewhere the worker has an error event.
  /** @param {string} address */
  function pageWorker(address) {
    try {
      return new Worker(address);
    } catch {
      throw new TsumeError(BLOCKED, "unavailable");
    }
  }

  /**
   * @param {WorkerProgram} program
   * @param {WorkerListener} listener
   * @returns {WorkerHandle}
   */
  function launchInNode(program, listener) {
    const threads = globalThis.process?.getBuiltinModule?.("node:worker_threads");
    if (!threads) throw new TsumeError("needs workers: a browser, or Node.js 20.16 or newer", "unavailable");
    const worker = new threads.Worker(program.source, { eval: true });
    worker.on("message", (message) => listener.message(message));
    worker.on("error", (error) => listener.failure(error.message));
    worker.on("exit", (status) => listener.failure(`the worker ended with status ${status}`));
    return {
      post: (message) => worker.postMessage(message),
      hold: (isNeeded) => isNeeded ? worker.ref() : worker.unref(),
      terminate: () => { void worker.terminate(); },
    };
  }

  return { VERSION, TsumeError, unavailable, programFile, networkFile, launch };
})();

// SPDX-License-Identifier: GPL-3.0-or-later
// What callers wait for: the events of a stream, and promises that are settled from outside.
"use strict";

const TsumeWaiting = (function () {
  /** The events of one request, from when the worker sends them until the caller takes them. */
  class EventQueue {
    /** @type {unknown[]} */
    #events = [];
    #isOver = false;
    /** @type {{error: unknown} | null} */
    #failed = null;
    #wake = () => {};

    /** @param {unknown} event */
    put(event) {
      this.#events.push(event);
      this.#wake();
    }

    /** There will be no more. */
    end() {
      this.#isOver = true;
      this.#wake();
    }

    /**
     * The request failed.
     * @param {unknown} error
     * @param {boolean} keeps whether what came before can still be taken
     */
    fail(error, keeps) {
      this.#failed = { error };
      if (!keeps) this.#events = [];
      this.end();
    }

    /** Whether there is another event, as soon as that is known; rejects if the request failed. */
    async more() {
      while (!this.#events.length && !this.#isOver) {
        await /** @type {Promise<void>} */ (new Promise((resolve) => { this.#wake = resolve; }));
      }
      if (!this.#events.length && this.#failed) throw this.#failed.error;
      return this.#events.length > 0;
    }

    /** The next event. */
    take() {
      return this.#events.shift();
    }
  }

  /** A promise that is settled from outside; nobody has to wait for it. */
  function deferred() {
    /** @type {(value: undefined) => void} */
    let resolve = () => {};
    /** @type {(reason: unknown) => void} */
    let reject = () => {};
    /** @type {Promise<void>} */
    const promise = new Promise((res, rej) => { [resolve, reject] = [res, rej]; });
    promise.catch(() => {});
    const made = {
      promise,
      isSettled: false,
      resolve: (/** @type {undefined} */ value) => { made.isSettled = true; resolve(value); },
      reject: (/** @type {unknown} */ reason) => { made.isSettled = true; reject(reason); },
    };
    return made;
  }

  return { EventQueue, deferred };
})();

// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that wait for their answer.
"use strict";

/**
 * @typedef {(event: any) => void} OnEvent called with each event of a request that is answered by a stream
 * @typedef {{id: number, kind: string, fields: object, event: OnEvent | null,
 *   resolve: (answer: any) => void, reject: (reason: unknown) => void}} PendingRequest
 */

const TsumePending = (function () {
  const { TsumeError } = TsumeWorkers;

  /** @param {unknown} value */
  function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  }

  /**
   * Throws a TsumeError unless the parts of a request have their types. What the fields mean is left to the worker.
   * @param {unknown} kind
   * @param {unknown} fields
   * @param {unknown} signal
   */
  function requireRequest(kind, fields, signal) {
    if (typeof kind !== "string") throw new TsumeError("kind: a text is needed", "input");
    if (!isObject(fields)) throw new TsumeError("fields: an object is needed", "input");
    if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal)) {
      throw new TsumeError("signal: an AbortSignal is needed", "input");
    }
  }

  /**
   * The options of a call. Throws a TsumeError unless they are an object or left out.
   * @template {object} Options
   * @param {Options | null | undefined} options
   * @returns {Partial<Options>}
   */
  function givenOptions(options) {
    if (options === undefined || options === null) return {};
    if (!isObject(options)) throw new TsumeError("options: an object is needed", "input");
    return options;
  }

  /**
   * A request whose fields are those that have a value.
   * @param {PendingRequest} request
   * @returns {PendingRequest}
   */
  function pendingRequest(request) {
    const fields = Object.fromEntries(Object.entries(request.fields).filter(([, value]) => value !== undefined));
    return { ...request, fields };
  }

  /**
   * Let a signal abort a request until it is settled.
   * @param {PendingRequest} request
   * @param {AbortSignal | undefined} signal
   * @param {(reason: unknown) => void} abort
   */
  function listen(request, signal, abort) {
    if (!signal) return;
    const { resolve, reject } = request;
    const act = () => abort(signal.reason);
    const release = () => signal.removeEventListener("abort", act);
    request.resolve = (answer) => { release(); resolve(answer); };
    request.reject = (reason) => { release(); reject(reason); };
    signal.addEventListener("abort", act);
  }

  function abortError() {
    return new DOMException("the request was stopped", "AbortError");
  }

  return { givenOptions, requireRequest, pendingRequest, listen, abortError };
})();

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
  const MEMORY = 64, LEAST_MEMORY = 16, MOST_MEMORY = 2048; // megabytes
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
      if (!Number.isInteger(memory) || memory < LEAST_MEMORY || memory > MOST_MEMORY) {
        throw new TsumeError(`memory: a whole number from ${LEAST_MEMORY} to ${MOST_MEMORY} is needed`, "input");
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
      return this.#streamAbout("mend", sfen, options);
    }

    /** @type {import("./tsume.d.ts").Solver["enrich"]} */
    enrich(sfen, options) {
      return this.#streamAbout("enrich", sfen, options);
    }

    /** @type {import("./tsume.d.ts").Solver["generate"]} */
    async* generate(options) {
      const { signal, ...fields } = givenOptions(options);
      const seed = fields.seed ?? Math.floor(Math.random() * SEEDS);
      yield* this.stream("generate", { ...fields, seed }, { signal });
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
     * @param {string} sfen
     * @param {RequestOptions} [options]
     */
    async* #streamAbout(kind, sfen, options) {
      const { signal, ...fields } = givenOptions(options);
      yield* this.stream(kind, { ...fields, sfen }, { signal });
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The public names. The worker program comes from tsume-worker.js, as a script: pages that are opened as
// files can fetch nothing, and cannot start a worker from a file. So does the network, from tsume-network.js.
"use strict";

(function () {
  /** @type {typeof import("./tsume.d.ts")} */
  const api = {
    Solver: TsumeSolver.Solver,
    TsumeError: TsumeWorkers.TsumeError,
    version: TsumeWorkers.VERSION,
    workerAddress: undefined,
    networkAddress: undefined,
  };
  TsumeWorkers.programFile.address = () => api.workerAddress;
  TsumeWorkers.networkFile.address = () => api.networkAddress;
  if (typeof module === "object" && module.exports) { // Node.js and bundlers
    TsumeWorkers.programFile.load = () => require("./tsume-worker.js");
    TsumeWorkers.networkFile.load = async () => (await import("./tsume-network.js")).default; // bundlers keep it apart
    module.exports = api;
  } else {
    /** @type {{Tsume?: typeof api}} */ (globalThis).Tsume = api;
  }
})();
})();
