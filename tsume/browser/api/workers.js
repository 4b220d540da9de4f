// SPDX-License-Identifier: GPL-3.0-or-later
// Where the worker program comes from, and the workers of pages and of Node.js.
"use strict";

/**
 * @typedef {import("./tsume.d.ts").TsumeWorkerProgram} WorkerProgram
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
  const PROGRAM = "tsume-worker.js";
  const BLOCKED = "the worker cannot be started; a Content-Security-Policy must allow " +
    "worker-src blob: and script-src 'wasm-unsafe-eval'";
  const globals = /** @type {{TsumeWorker?: WorkerProgram}} */ (globalThis);
  const isPage = typeof document === "object";
  const ownScript = isPage ? /** @type {HTMLScriptElement | null} */ (document.currentScript) : null;
  const settings = { // of tsume.js
    workerAddress: () => /** @type {string | undefined} */ (undefined),
    /** @type {(() => WorkerProgram) | null} */
    requireProgram: null,
  };

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

  // --- the worker program -----------------------------------------------------------------------------

  /** @type {Promise<WorkerProgram> | null} */
  let loading = null;

  /**
   * @param {WorkerProgram} [given]
   * @returns {Promise<WorkerProgram>}
   */
  async function workerProgram(given) {
    const program = given ?? globals.TsumeWorker ?? await loadProgram();
    if (program.version !== VERSION) {
      const found = `${PROGRAM} has version ${program.version}, tsume.js ${VERSION}`;
      throw new TsumeError(`${found}: take both files from one release`, "unavailable");
    }
    return program;
  }

  function loadProgram() {
    const { requireProgram } = settings;
    loading ??= (requireProgram ? Promise.resolve().then(requireProgram) : loadScript()).catch((error) => {
      loading = null; // the next solver tries again
      throw error;
    });
    return loading;
  }

  /** @returns {Promise<WorkerProgram>} */
  function loadScript() {
    const address = settings.workerAddress() ?? (ownScript?.src && new URL(PROGRAM, ownScript.src).href);
    if (!isPage || !address) {
      const message = `load ${PROGRAM} first, or pass it as the option worker`;
      return Promise.reject(new TsumeError(message, "unavailable"));
    }
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => resolve(/** @type {WorkerProgram} */ (globals.TsumeWorker));
      script.onerror = () => reject(new TsumeError(`cannot load ${address}`, "unavailable"));
      document.head.append(script);
    });
  }

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
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => listener.message(data);
    worker.onerror = (event) => {
      event.preventDefault();
      listener.failure(event.message || BLOCKED);
    };
    return { post: (message) => worker.postMessage(message), hold() {}, terminate: () => worker.terminate() };
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

  return { VERSION, TsumeError, settings, workerProgram, launch };
})();
