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
