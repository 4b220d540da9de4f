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
  const VERSION = "@VERSION@";
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
  const networkFile = new SiblingFile("tsume-network.js", "TsumeNetwork", "network", "@NETWORK@");

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
