// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES, load } from "./scripts.mjs";

const { TsumePosition, TsumeArrangement, TsumeSfen } = load(RULES, ["TsumePosition", "TsumeArrangement", "TsumeSfen"]);
const {
  remaining, completed, withPiece, withHand, without, turnedOver, cycled, shifted, shiftedMoves, rotated, cleared,
} = TsumeArrangement;
const { formatSfen } = TsumeSfen;
const read = (sfen) => TsumePosition.Position.fromSfen(sfen);
const PROBLEM = "9/8k/6+S2/6G2/9/9/9/9/9 b GP 1";

test("remaining pieces are counted, below zero where there are too many", () => {
  const numbers = remaining(read(PROBLEM));
  assert.deepEqual(numbers, { R: 2, B: 2, G: 2, S: 3, N: 4, L: 4, P: 17, K: 1 });
  assert.equal(remaining(read("9/9/9/9/4k4/9/9/9/RRR6 b - 1")).R, -1);
});

test("the defender gets all remaining pieces, none where there are too many", () => {
  assert.equal(formatSfen(completed(read(PROBLEM))), "9/8k/6+S2/6G2/9/9/9/9/9 b GP2r2b2g3s4n4l17p 1");
  assert.equal(completed(read("9/9/9/9/4k4/9/9/9/RRR6 b - 1")).hands.w.R, 0);
});

test("a position is changed in a copy", () => {
  const position = read(PROBLEM);
  withPiece(position, "3d", null);
  withHand(position, "b", "G", -1);
  completed(position);
  rotated(position);
  shifted(position, "down");
  assert.deepEqual(position, read(PROBLEM));
});

test("a piece is put on a square, or taken off any place", () => {
  const position = read(PROBLEM);
  assert.deepEqual(withPiece(position, "5e", { kind: "L", side: "w" }).squares.get("5e"), { kind: "L", side: "w" });
  assert.equal(without(position, "3d").squares.has("3d"), false);
  assert.equal(without(position, "bG*").hands.b.G, 0);
  assert.equal(without(position, "xR*"), position);
});

test("pieces that promote are turned over, others are not", () => {
  assert.deepEqual(turnedOver({ kind: "S", side: "w" }), { kind: "+S", side: "w" });
  assert.deepEqual(turnedOver({ kind: "+R", side: "b" }), { kind: "R", side: "b" });
  assert.equal(turnedOver({ kind: "G", side: "b" }), null);
  assert.equal(turnedOver({ kind: "K", side: "w" }), null);
});

test("states of a piece come round", () => {
  const states = [{ kind: "S", side: "b" }];
  for (let count = 0; count < 4; count += 1) states.push(cycled(states.at(-1)));
  assert.deepEqual(states.map(({ kind, side }) => kind + side), ["Sb", "+Sb", "Sw", "+Sw", "Sb"]);
  assert.deepEqual(cycled({ kind: "G", side: "b" }), { kind: "G", side: "w" });
});

test("everything is shifted, unless a piece would leave the board", () => {
  const board = (position) => formatSfen(position).split(" ")[0];
  assert.equal(board(shifted(read(PROBLEM), "down")), "9/9/8k/6+S2/6G2/9/9/9/9");
  assert.equal(board(shifted(read(PROBLEM), "left")), "9/7k1/5+S3/5G3/9/9/9/9/9");
  assert.equal(board(shifted(read(PROBLEM), "mirror")), "9/k8/2+S6/2G6/9/9/9/9/9");
  assert.equal(shifted(read(PROBLEM), "right"), null);
});

test("moves are shifted with the position", () => {
  assert.deepEqual(shiftedMoves(["3d2c", "1b1a", "G*2b"], "mirror"), ["7d8c", "9b9a", "G*8b"]);
  assert.deepEqual(shiftedMoves(["3d2c+"], "rotate"), ["7f8g+"]);
  assert.deepEqual(shiftedMoves(["3d2c", "1b1a"], "up"), []);
});

test("turning round exchanges sides and hands", () => {
  assert.equal(formatSfen(rotated(read(PROBLEM))), "9/9/9/9/9/2g6/2+s6/K8/9 b gp 1");
  assert.deepEqual(rotated(rotated(read(PROBLEM))), read(PROBLEM));
});

test("clearing leaves the defender's king", () => {
  const { squares, hands } = cleared(read("K8/8k/6+S2/9/9/9/9/9/9 b G 1"));
  assert.deepEqual([...squares], [["1b", { kind: "K", side: "w" }]]);
  assert.deepEqual([hands.b.G, hands.w.G, hands.w.P], [0, 4, 18]);
});
