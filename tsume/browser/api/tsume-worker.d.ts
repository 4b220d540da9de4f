// Type of tsume-worker.js, which scripts/wasm builds.
declare const TsumeWorker: import("./tsume").TsumeWorkerProgram;
export = TsumeWorker;
