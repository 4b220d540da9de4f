// SPDX-License-Identifier: GPL-3.0-or-later
// Type of tsume-worker.js, which scripts/wasm builds.
declare const TsumeWorker: import("./tsume").TsumeWorkerProgram;
export = TsumeWorker;
