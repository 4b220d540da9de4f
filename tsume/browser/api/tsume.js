// SPDX-License-Identifier: GPL-3.0-or-later
// The public names. The worker program comes from tsume-worker.js, as a script: pages that are opened as
// files can fetch nothing, and cannot start a worker from a file.
"use strict";

(function () {
  /** @type {typeof import("./tsume.d.ts")} */
  const api = {
    Solver: TsumeSolver.Solver,
    TsumeError: TsumeWorkers.TsumeError,
    version: TsumeWorkers.VERSION,
    workerAddress: undefined,
  };
  TsumeWorkers.settings.workerAddress = () => api.workerAddress;
  if (typeof module === "object" && module.exports) { // Node.js and bundlers
    TsumeWorkers.settings.requireProgram = () => require("./tsume-worker.js");
    module.exports = api;
  } else {
    /** @type {{Tsume?: typeof api}} */ (globalThis).Tsume = api;
  }
})();
