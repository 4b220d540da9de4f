// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES, load } from "./scripts.mjs";

const { TsumeArrangement, TsumeSfen, TsumeEditHistory, TsumeComposition } = load(
  [...RULES, "edit_history", "composition"], ["TsumeArrangement", "TsumeSfen", "TsumeEditHistory", "TsumeComposition"]);
const { withPiece } = TsumeArrangement;
const SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1";
const begun = (line = "") => new TsumeComposition(TsumeSfen.readSfen(`${SFEN} moves ${line}`));

test("states are undone and redone, and a new one drops the undone ones", () => {
  const history = new TsumeEditHistory(0);
  for (const state of [1, 2, 3]) history.push(state);
  assert.equal(history.canRedo, false);
  assert.equal(history.step(-1), true);
  assert.equal(history.step(-1), true);
  assert.equal(history.current, 1);
  assert.equal(history.step(1), true);
  history.push(4);
  assert.equal(history.step(1), false);
  const states = [history.current];
  while (history.step(-1)) states.push(history.current);
  assert.deepEqual(states, [4, 2, 1, 0]);
  assert.equal(history.canUndo, false);
});

test("the oldest states are dropped", () => {
  const history = new TsumeEditHistory(0);
  for (let state = 1; state <= 600; state += 1) history.push(state);
  while (history.step(-1));
  assert.equal(history.current, 101);
});

test("the query has the intended solution if there is one", () => {
  assert.deepEqual(begun().query, { sfen: SFEN });
  assert.deepEqual(begun("3d2c 1b1a 2c2b").query, { sfen: SFEN, line: "3d2c 1b1a 2c2b" });
});

test("another position has the same intended solution unless it is given", () => {
  const composition = begun("3d2c");
  composition.replace(withPiece(composition.state.position, "9i", { kind: "P", side: "b" }));
  assert.deepEqual(composition.state.intended, ["3d2c"]);
  composition.replace(composition.state.position, { intended: [], rest: false });
  assert.deepEqual(composition.state.intended, []);
  assert.equal(composition.state.rest, false);
});

test("a piece that changes is no longer kept", () => {
  const composition = begun();
  assert.equal(composition.toggleKept("3d"), true);
  assert.equal(composition.toggleKept("1b"), true);
  composition.replace(withPiece(composition.state.position, "3d", { kind: "S", side: "b" }));
  assert.deepEqual([...composition.state.kept], ["1b"]);
  composition.history.step(-1);
  assert.deepEqual([...composition.state.kept], ["3d", "1b"]);
});

test("keeping a piece is not a step to undo", () => {
  const composition = begun();
  composition.toggleKept("3d");
  assert.equal(composition.history.canUndo, false);
  assert.equal(composition.toggleKept("3d"), false);
  assert.equal(composition.state.kept.size, 0);
});
