// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./scripts.mjs";

const fresh = (options) => load(["storage", "results"], ["TsumeResults"], options).TsumeResults;
const result = (sfen, other = {}) => ({ isSolved: true, problem: "1", sfen, moves: 3, seconds: 9, mistakes: 0, hints: 0, ...other });

test("results are kept, newest last, until they are forgotten", () => {
  const results = fresh();
  results.add(result("a"));
  results.add(result("b", { hints: 1 }));
  assert.deepEqual(results.all().map(({ sfen, hints }) => [sfen, hints]), [["a", 0], ["b", 1]]);
  assert.match(results.all()[0].solved, /^\d{4}-\d\d-\d\dT/);
  results.forget();
  assert.deepEqual(results.all(), []);
});

test("a streak ends at a mistake or a hint and counts a problem once", () => {
  const results = fresh();
  for (const other of [result("x"), result("y", { mistakes: 1 }), result("a"), result("b"), result("a")]) results.add(other);
  assert.equal(results.streak(), 2);
  results.add(result("c", { hints: 1 }));
  assert.equal(results.streak(), 0);
});

test("a problem that was given up is no solved one and ends a streak", () => {
  const results = fresh();
  results.add(result("a"));
  results.add(result("b", { isSolved: false }));
  assert.deepEqual([...results.solvedPositions()], ["a"]);
  assert.equal(results.streak(), 0);
});

test("results of an older version are read", () => {
  const old = { solved: "2026-01-01T00:00:00Z", problem: "1", sfen: "a", moves: 3, seconds: 9, mistakes: 0, hints: 0 };
  const stored = { getItem: () => JSON.stringify([old]), setItem() {}, removeItem() {} };
  const [read] = fresh({ localStorage: stored }).all();
  assert.deepEqual([read.ended, read.mode], [old.solved, "free"]);
});

test("CSV quotes what spreadsheets could take for something else", () => {
  const results = fresh();
  results.add({ ...result("8k/9 b - 1"), problem: "=1", mode: "+2026" });
  const [head, row] = results.csv().split("\r\n");
  assert.equal(head, "solved,problem,sfen,moves,seconds,mistakes,hints,ended,mode");
  assert.match(row, /^[^,]+Z,"=1","8k\/9 b - 1",3,9,0,0,[^,]+Z,"\+2026"$/);
});

test("what is stored but no result is ignored", () => {
  for (const text of ["{", "7", "null", '[null, 7, {"sfen": 1}]']) {
    const stored = { getItem: () => text, setItem() {}, removeItem() {} };
    assert.deepEqual(fresh({ localStorage: stored }).all(), [], text);
  }
});

test("without storage nothing is kept, and nothing fails", () => {
  const refuse = () => { throw new Error("forbidden"); };
  const results = fresh({ localStorage: { getItem: refuse, setItem: refuse, removeItem: refuse } });
  results.add(result("a"));
  results.forget();
  assert.equal(results.streak(), 0);
});
