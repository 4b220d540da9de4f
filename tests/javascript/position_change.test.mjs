// SPDX-License-Identifier: GPL-3.0-or-later
// What changed between two positions: a move, a check and its answer taken back, or something else.
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./scripts.mjs";

const { TsumePosition, TsumePositionChange } = load(["position", "position_change"], ["TsumePosition", "TsumePositionChange"]);
const { between } = TsumePositionChange;
const START = TsumePosition.Position.fromSfen("9/8k/6+S2/6G2/9/9/9/9/9 b P 1");
const MOVES = ["3c2b", "1b2b", "P*2c"];
const POSITIONS = [START];
MOVES.forEach((usi, index) => POSITIONS.push(POSITIONS[index].after(usi, index % 2 ? "w" : "b")));

const step = (from, to, kind, side) => ({ from, to, kind, side });

test("a move is one step", () => {
  const change = between(POSITIONS[0], POSITIONS[1], MOVES[0]);
  assert.deepEqual(change, { steps: [step("3c", "2b", "+S", "b")], isMove: true, isCapture: false });
});

test("a capture is told", () => {
  const change = between(POSITIONS[1], POSITIONS[2], MOVES[1]);
  assert.deepEqual(change, { steps: [step("1b", "2b", "K", "w")], isMove: true, isCapture: true });
});

test("a drop comes from the hand", () => {
  const change = between(POSITIONS[2], POSITIONS[3], MOVES[2]);
  assert.deepEqual(change, { steps: [step(null, "2c", "P", "b")], isMove: true, isCapture: false });
});

test("what is shown again does not move", () => {
  for (let ply = 1; ply <= 3; ply += 1) {
    assert.deepEqual(between(POSITIONS[ply], POSITIONS[ply], MOVES[ply - 1]).steps, []);
  }
});

test("a check and its answer that are taken back are no move", () => {
  const change = between(POSITIONS[2], POSITIONS[0], null);
  assert.equal(change.isMove, false);
  assert.deepEqual(change.steps, [step("2b", "1b", "K", "w")]); // the captured piece just appears
});

test("a promotion that is taken back moves the same piece", () => {
  const start = TsumePosition.Position.fromSfen("7k1/9/9/2S6/9/9/9/9/9 b - 1");
  const change = between(start.after("7d7c+", "b"), start, null);
  assert.deepEqual(change.steps, [step("7c", "7d", "S", "b")]);
});

test("another position has no steps", () => {
  const other = TsumePosition.Position.fromSfen("6k2/9/6S2/6G1P/9/9/9/8L/9 b - 1");
  const more = TsumePosition.Position.fromSfen("9/9/5k3/4S4/5G1P1/9/9/7L1/9 b - 1");
  assert.deepEqual(between(other, more, null).steps, []);
  assert.equal(between(other, more, "1a1b").isMove, false);
});
