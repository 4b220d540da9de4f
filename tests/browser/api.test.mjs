// SPDX-License-Identifier: GPL-3.0-or-later
// The API in Node.js. TSUME_FOLDER has the files with a worker program that searches nothing (program.py).
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const folder = process.env.TSUME_FOLDER;
const { Solver, TsumeError, version } = require(`${folder}/tsume.js`);
const program = require(`${folder}/tsume-worker.js`);

/** @type {Set<InstanceType<typeof Solver>>} */
const solvers = new Set();

function opened(options) {
  const solver = new Solver(options);
  solvers.add(solver);
  return solver;
}

afterEach(() => {
  for (const solver of solvers) solver.close();
  solvers.clear();
});

const isAbort = { name: "AbortError" };
const failed = (code, message = /./) => (error) =>
  error instanceof TsumeError && error.name === "TsumeError" && error.code === code && message.test(error.message);

test("a position is solved", async () => {
  const solver = opened();
  assert.deepEqual(await solver.solve("a"), { sfen: "a", result: "mate", length: 1, line: ["G*5b"], error: null });
});

test("the solver is ready, with the memory that was asked for", async () => {
  const solver = opened({ memory: 32 });
  assert.equal(await solver.ready, undefined);
  assert.equal((await solver.explain("a")).memory, 32);
});

test("64 MB by default, and memory is a number", async () => {
  assert.equal((await opened().explain("a")).memory, 64);
  for (const memory of [0, -1, NaN, 1e9, "much", "64", 0.5, 15, 2049, 2500]) assert.throws(() => new Solver({ memory }), failed("input", /memory/));
});

test("each method asks for its kind; only options with a value are fields", async () => {
  const solver = opened();
  assert.deepEqual(await solver.tree("a", { seconds: 3, nodes: undefined }), { sfen: "a", seconds: 3 });
  assert.deepEqual(await solver.ask("tree", { sfen: "a", moves: ["G*5b"] }), { sfen: "a", moves: ["G*5b"] });
  assert.equal((await solver.check("a")).findings[0].text, "無駄合");
});

test("requests are answered in their order by one worker", async () => {
  const solver = opened();
  const done = [];
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => solver.solve(name).then(() => done.push(name))));
  assert.deepEqual(done, names);
  const { order, starts } = await solver.explain("e");
  assert.deepEqual([order, starts], [[...names, "e"], 1]);
});

test("bad input rejects with its message, and the worker stays", async () => {
  const solver = opened();
  await assert.rejects(solver.solve("nonsense"), failed("input", /^SFEN needs a board$/));
  assert.deepEqual((await solver.explain("a")).order, ["nonsense", "a"]);
});

test("what has the wrong type is bad input, and nothing is thrown at once", async () => {
  const solver = opened();
  await solver.ready;
  const input = failed("input", /^(kind|fields|options|signal): /);
  await assert.rejects(solver.ask(5, {}), input);
  await assert.rejects(solver.ask("solve", null), input);
  await assert.rejects(solver.ask("solve", ["a"]), input);
  await assert.rejects(solver.solve("a", 5), input);
  await assert.rejects(solver.solve("a", { signal: "stop" }), input);
  await assert.rejects(solver.mend("a", "b").next(), input);
  await assert.rejects(solver.generate(5).next(), input);
  await assert.rejects(solver.stream("mend", 5).next(), input);
  assert.throws(() => new Solver(5), input);
  assert.throws(() => new Solver({ megabytes: 64 }), failed("input", /^megabytes: unknown option$/));
  assert.deepEqual((await solver.explain("a")).starts, 1);
});

test("options that are null count as left out", async () => {
  assert.equal((await new Solver(null).explain("a", null)).memory, 64);
});

test("composing without options asks the worker, which misses the length", async () => {
  const [first] = await collected(opened().generate());
  assert.deepEqual([first.kind, Number.isInteger(first.seed)], ["generate", true]);
});

test("a worker that cannot be made is unavailable", async () => {
  const worker = { ...program, source: Symbol("no text") };
  const solver = opened({ worker });
  await assert.rejects(solver.ready, failed("unavailable"));
  await assert.rejects(solver.solve("a"), failed("unavailable"));
});

test("fields that cannot be sent are bad input", async () => {
  const solver = opened();
  const refused = assert.rejects(solver.ask("solve", { sfen: () => {} }), failed("input"));
  assert.equal((await solver.solve("a")).sfen, "a");
  await refused;
});

async function collected(stream) {
  const found = [];
  for await (const event of stream) found.push(event);
  return found;
}

test("a stream gives its events in their order, and the next request waits for its end", async () => {
  const solver = opened();
  const stream = collected(solver.mend("a", { count: 2, keep: ["5e"], moves: undefined }));
  const [events, next] = await Promise.all([stream, solver.solve("b")]);
  assert.deepEqual(events, [
    { event: "judgement", kind: "mend", sfen: "a", count: 2, keep: ["5e"] },
    { event: "repair", number: 0 },
    { event: "repair", number: 1 },
    { event: "end", complete: true },
  ]);
  assert.equal(next.sfen, "b");
});

test("generate() draws a seed unless one is given", async () => {
  const solver = opened();
  const first = (options) => solver.generate({ moves: 3, ...options }).next().then(({ value }) => value);
  assert.deepEqual(await first({ seed: 7 }), { event: "judgement", kind: "generate", moves: 3, seed: 7 });
  const { seed } = await first({});
  assert.ok(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32);
});

test("a stream is a request from its first event on", async () => {
  const solver = opened();
  solver.stream("forever");
  assert.deepEqual((await solver.explain("a")).order, ["a"]);
});

test("the events come as they are found", async () => {
  const solver = opened();
  const stream = solver.enrich("a", { then: "forever" });
  assert.equal((await stream.next()).value.event, "judgement");
  const next = assert.rejects(stream.next(), isAbort);
  solver.stop();
  await next;
  assert.deepEqual(await stream.next(), { value: undefined, done: true });
});

test("leaving the loop over a stream stops it", async () => {
  const solver = opened();
  for await (const event of solver.enrich("a", { then: "forever" })) {
    assert.equal(event.event, "judgement");
    break;
  }
  assert.deepEqual((await solver.explain("b")).order, ["b"]);
});

const network = require(`${folder}/tsume-network.js`);
const sent = { // to the worker: signs and exponents before fractions
  layout: [["bias", "float16", [2]], ["conditions 3", "int8", [1, 2]]],
  bytes: [0x3e, 0xc0, 0, 0, 7, 255],
};

test("a request that needs the network is asked again with it, and later ones have it", async () => {
  const solver = opened();
  await solver.solve("a");
  assert.deepEqual(await solver.ask("generate"), { network: sent });
  assert.deepEqual((await solver.explain("b")).order.length, 4);
  assert.deepEqual(await solver.ask("generate"), { network: sent });
  assert.deepEqual((await solver.explain("c")).order.length, 6);
});

test("requests behind one that needs the network wait", async () => {
  const solver = opened();
  const [made, next] = await Promise.all([solver.ask("generate"), solver.solve("b")]);
  assert.deepEqual([made.network, next.sfen], [sent, "b"]);
});

test("another worker is sent the network again", async () => {
  const solver = opened();
  await solver.ask("generate");
  const stopped = assert.rejects(solver.ask("forever"), isAbort);
  solver.stop();
  await stopped;
  assert.deepEqual(await solver.ask("generate"), { network: sent });
});

test("the network may be given, or refused", async () => {
  const other = { ...network, layout: [["other", "int8", [6]]] };
  assert.deepEqual((await opened({ network: other }).ask("generate")).network.layout, other.layout);
  assert.deepEqual(await opened().ask("generate", { network: false }), { network: false });
});

test("without a network that fits there is an answer all the same", async () => {
  const old = { ...network, version: "0.0" };
  assert.deepEqual(await opened({ network: old }).ask("generate", { moves: 3 }), { network: false });
});

test("a network that cannot be read is a crash", async () => {
  const solver = opened({ network: { ...network, data: "AAAA" } });
  await assert.rejects(solver.ask("generate"), failed("crashed"));
  assert.equal((await solver.solve("a")).sfen, "a");
});

test("stopping while the network is on its way", async () => {
  const solver = opened();
  const control = new AbortController();
  const stopped = assert.rejects(solver.ask("generate", {}, { signal: control.signal }), isAbort);
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  control.abort();
  await stopped;
  assert.equal((await solver.solve("a")).sfen, "a");
});

test("a signal stops a stream, and what was not taken is lost", async () => {
  const solver = opened();
  const control = new AbortController();
  const stream = solver.enrich("a", { count: 3, then: "forever", signal: control.signal });
  await stream.next();
  await new Promise((resolve) => { setTimeout(resolve, 50); });
  control.abort();
  await assert.rejects(collected(stream), isAbort);
  await assert.rejects(solver.mend("a", { signal: control.signal }).next(), isAbort);
  assert.deepEqual((await solver.explain("b")).order, ["b"]);
});

test("the events before an error are given", async () => {
  const solver = opened();
  const found = [];
  await assert.rejects(async () => {
    for await (const event of solver.enrich("nonsense", { then: "solve" })) found.push(event.event);
  }, failed("input", /^SFEN needs a board$/));
  assert.deepEqual(found, ["judgement"]);
  await assert.rejects(collected(solver.enrich("a", { then: "trap" })), failed("crashed"));
});

test("a signal stops a running request, and the next one gets another worker", async () => {
  const solver = opened();
  const control = new AbortController();
  await solver.solve("before");
  const running = assert.rejects(solver.ask("forever", {}, { signal: control.signal }), isAbort);
  const waiting = solver.explain("after");
  setTimeout(() => control.abort(), 50);
  await running;
  assert.deepEqual((await waiting).order, ["after"]);
});

test("a signal stops a request that waits; the running one goes on", async () => {
  const solver = opened();
  const control = new AbortController();
  const running = solver.solve("a", { milliseconds: 100 });
  const waiting = assert.rejects(solver.solve("b", { signal: control.signal }), isAbort);
  control.abort();
  await waiting;
  assert.equal((await running).sfen, "a");
  assert.deepEqual((await solver.explain("c")).order, ["a", "c"]);
});

test("a signal that was given before rejects with its reason, at once", async () => {
  const solver = opened();
  const reason = new Error("enough");
  await assert.rejects(solver.solve("a", { signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(solver.ask("forever", {}, { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
});

test("a signal after the answer changes nothing", async () => {
  const solver = opened();
  const control = new AbortController();
  await solver.solve("a", { signal: control.signal });
  control.abort();
  assert.deepEqual((await solver.explain("b")).order, ["a", "b"]);
});

test("stop() stops what runs and what waits, and the solver can be used further", async () => {
  const solver = opened();
  await solver.ready;
  const stopped = [solver.ask("forever"), solver.solve("a"), solver.solve("b")].map((one) => assert.rejects(one, isAbort));
  solver.stop();
  await Promise.all(stopped);
  assert.deepEqual((await solver.explain("c")).order, ["c"]);
});

test("stop() before the worker is ready", async () => {
  const solver = opened();
  const stopped = assert.rejects(solver.solve("a"), isAbort);
  solver.stop();
  await stopped;
  await solver.ready;
  assert.deepEqual((await solver.explain("c")).order, ["c"]);
});

test("stopping many times in a row leaves one worker that answers", async () => {
  const solver = opened();
  for (let i = 0; i < 20; i += 1) {
    const stopped = assert.rejects(solver.ask("forever"), isAbort);
    if (i % 3 === 0) await solver.ready;
    solver.stop();
    await stopped;
  }
  assert.equal((await solver.solve("a")).sfen, "a");
});

test("close() rejects what runs and what waits, and all later requests", async () => {
  const solver = opened();
  const stopped = [solver.ask("forever"), solver.solve("a")].map((one) => assert.rejects(one, isAbort));
  solver.close();
  await Promise.all(stopped);
  await assert.rejects(solver.ready, isAbort);
  await assert.rejects(solver.solve("a"), failed("closed"));
  solver.close();
});

for (const kind of ["trap", "overflow", "mistake"]) {
  test(`a crash (${kind}) rejects its request only, and the worker is replaced`, async () => {
    const solver = opened();
    await solver.solve("before");
    const crashed = assert.rejects(solver.ask(kind), failed("crashed", /^the worker crashed: ./));
    const waiting = solver.explain("after");
    await crashed;
    assert.deepEqual((await waiting).order, ["after"]);
  });
}

test("the compiled module is given to the next worker", async () => {
  const solver = opened({ worker: { ...program } });
  await solver.solve("a");
  const spoiled = { ...program, module: "no module" };
  const other = opened({ worker: spoiled });
  await assert.rejects(other.ready, failed("unavailable"));
  const kept = { ...program };
  const third = opened({ worker: kept });
  await third.solve("a");
  await new Promise((resolve) => { setTimeout(resolve, 50); }); // the module arrives after the answer
  kept.module = "no module";
  third.ask("forever").catch(() => {});
  third.stop();
  assert.equal((await third.solve("b")).sfen, "b");
});

test("a worker that cannot be started rejects all requests; the next request tries again", async () => {
  const worker = { ...program, source: program.source.replace('"fails": ""', '"fails": "too little memory"') };
  const solver = opened({ worker });
  const refused = failed("unavailable", /^too little memory$/);
  await Promise.all([solver.ready, solver.solve("a"), solver.solve("b")].map((one) => assert.rejects(one, refused)));
  await assert.rejects(solver.solve("c"), refused);
  worker.source = program.source;
  assert.equal((await solver.solve("d")).sfen, "d");
  await solver.ready;
});

test("a worker program that is no script", async () => {
  await assert.rejects(opened({ worker: { ...program, source: "?" } }).ready, failed("unavailable"));
});

test("files of two releases do not work together", async () => {
  const solver = opened({ worker: { ...program, version: "0.0" } });
  await assert.rejects(solver.solve("a"), failed("unavailable", /version 0\.0/));
});

test("solvers are independent", async () => {
  const [one, other] = [opened(), opened()];
  const running = assert.rejects(one.ask("forever"), isAbort);
  assert.deepEqual((await other.explain("a")).order, ["a"]);
  one.stop();
  await running;
});

test("modules import the same", async () => {
  const names = await import(pathToFileURL(`${folder}/tsume.mjs`).href);
  assert.deepEqual([names.Solver, names.TsumeError, names.version], [Solver, TsumeError, version]);
  assert.equal(names.default.Solver, Solver);
});
