// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./scripts.mjs";

/** A page with the scripts of the solver; `answer` is what the solver does. */
function page(answer, { api = "tsume.js", canLoad = () => true } = {}) {
  const loaded = [];
  const document = {
    documentElement: { lang: "en" },
    currentScript: { dataset: { api, worker: "tsume-worker.js" } },
  };
  const addScript = async (address) => {
    loaded.push(address);
    if (!canLoad(address)) throw new Error(`${address} cannot be loaded`);
  };
  const solvers = [];
  const Tsume = { Solver: class { constructor(options) { solvers.push(options); } ready = Promise.resolve(); ask = answer; } };
  const window = { WebAssembly: {}, Worker: {} };
  const found = load(["phrases", "errors", "local_solver", "tree_solver"], ["TsumeLocalSolver", "window"], { document, TsumeDom: { addScript }, Tsume, window });
  return { ...found, loaded, solvers };
}

test("the scripts are loaded once, when the solver is first asked", async () => {
  const asked = [];
  const { TsumeLocalSolver, loaded } = page(async (kind, fields) => { asked.push([kind, fields]); return 1; });
  assert.deepEqual(loaded, []);
  assert.equal(TsumeLocalSolver.isReady, false);
  const { signal } = new AbortController();
  await Promise.all([TsumeLocalSolver.judge({ sfen: "a", line: "b c" }, { signal }), TsumeLocalSolver.judge({ sfen: "a" }, { signal })]);
  assert.equal(TsumeLocalSolver.isReady, true);
  assert.deepEqual(loaded, ["tsume-worker.js", "tsume.js"]);
  assert.deepEqual(asked, [["judgement", { sfen: "a", line: ["b", "c"] }], ["judgement", { sfen: "a" }]]);
});

test("the scripts are loaded at the same time", async () => {
  const { TsumeLocalSolver, loaded } = page(async () => 1);
  TsumeLocalSolver.start();
  assert.deepEqual(loaded, ["tsume-worker.js", "tsume.js"]);
});

test("texts do not wait for a search, which needs a second solver only while the first one is busy", async () => {
  let finish;
  const answers = { judgement: new Promise((resolve) => { finish = resolve; }), kif: { text: "KIF" } };
  const { TsumeLocalSolver, solvers } = page(async (kind) => answers[kind]);
  await TsumeLocalSolver.ask("kif", {});
  assert.equal(solvers.length, 1);
  const judged = TsumeLocalSolver.judge({ sfen: "a" }, { signal: new AbortController().signal });
  assert.deepEqual(await TsumeLocalSolver.ask("kif", {}), { text: "KIF" });
  await TsumeLocalSolver.ask("kif", {});
  assert.deepEqual(solvers, [{ memory: 64 }, { memory: 16 }]);
  finish("a judgement");
  assert.equal(await judged, "a judgement");
});

test("a judgement tells when the solver is loaded", async () => {
  const told = [];
  const { TsumeLocalSolver } = page(async () => { told.push("judging"); });
  await TsumeLocalSolver.judge({ sfen: "a" }, { signal: new AbortController().signal, begun: () => told.push("loaded") });
  assert.deepEqual(told, ["loaded", "judging"]);
});

test("what fails is told, and tried again", async () => {
  let isThere = false;
  const { TsumeLocalSolver } = page(async () => 1, { canLoad: () => isThere });
  await assert.rejects(TsumeLocalSolver.ask("solve", { sfen: "a" }), { phrase: "web.solver_failed" });
  isThere = true;
  assert.equal(await TsumeLocalSolver.ask("solve", { sfen: "a" }), 1);
});

test("a page without the solver says so", async () => {
  const { TsumeLocalSolver } = page(async () => 1, { api: "" });
  await assert.rejects(TsumeLocalSolver.start(), { phrase: "web.no_solver" });
});

test("the solver's own message is passed on, and an abort", async () => {
  const { TsumeLocalSolver } = page(async (kind, _fields, { signal }) => {
    signal?.throwIfAborted();
    throw new Error("invalid SFEN");
  });
  await assert.rejects(TsumeLocalSolver.ask("solve", { sfen: "a" }), { phrase: null, message: "invalid SFEN" });
  await assert.rejects(TsumeLocalSolver.ask("solve", { sfen: "a" }, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("a request of the same kind replaces the one before", async () => {
  const { window } = page((kind, { moves }, { signal }) => new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    setTimeout(() => resolve({ kind, moves }), 5);
  }));
  const problem = { sfen: "a", length: 3, address: "" };
  const { load: first, loadAfter, choices } = window.TsumeTrees;
  const found = await Promise.all([first(problem), choices(problem, ["x"]), loadAfter(problem, ["y"])]);
  assert.deepEqual(found, [null, { kind: "position", moves: ["x"] }, { kind: "play_tree", moves: ["y"] }]);
});
