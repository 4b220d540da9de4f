// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES, load } from "./scripts.mjs";

const { TsumePosition, TsumeMoveLine } = load([...RULES, "move_line"], ["TsumePosition", "TsumeMoveLine"]);
const START = TsumePosition.Position.fromSfen("9/8k/6+S2/6G2/9/9/9/9/9 b G2r2b2g3s4n4l18p 1");

test("each move has the position after it", () => {
  const line = new TsumeMoveLine(START, ["3d2c", "1b1a", "2c2b"]);
  assert.equal(line.position, START);
  assert.equal(line.last, null);
  line.go(2);
  assert.equal(line.last, "1b1a");
  assert.deepEqual(line.position.squares.get("1a"), { kind: "K", side: "w" });
  assert.deepEqual(line.position.squares.get("2c"), { kind: "G", side: "b" });
});

test("steps beyond an end stay there", () => {
  const line = new TsumeMoveLine(START, ["3d2c", "1b1a"]);
  line.go(-1);
  assert.equal(line.index, 0);
  assert.equal(line.isAtEnd, false);
  line.go(9);
  assert.equal(line.index, 2);
  assert.equal(line.isAtEnd, true);
});

test("a line ends before the first move that cannot be played", () => {
  assert.deepEqual(new TsumeMoveLine(START, ["3d2c", "2c2b"]).moves, ["3d2c"]); // the attacker's piece, the defender's turn
  assert.deepEqual(new TsumeMoveLine(START, ["5e5d"]).moves, []);
  assert.deepEqual(new TsumeMoveLine(START, ["G*2c", "1b1a", "G*2b"]).moves, ["G*2c", "1b1a"]); // one gold in hand
});

test("moves are written from the position in which they are played", () => {
  const line = new TsumeMoveLine(START, ["G*2c", "1b2c", "3d2c"]);
  assert.deepEqual(line.moves.map((_, index) => line.text(index)), ["G*2c", "K1bx2c", "G3dx2c"]);
});
