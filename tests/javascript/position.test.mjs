// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./scripts.mjs";

const { TsumePosition } = load(["position"], ["TsumePosition"]);
const { Position, readMove, isDead } = TsumePosition;
const START = "9/8k/6+S2/6G2/9/9/9/9/9 b 2G3p 1";

test("an SFEN gives squares and hands", () => {
  const { squares, hands } = Position.fromSfen(START);
  assert.deepEqual([...squares], [
    ["1b", { kind: "K", side: "w" }], ["3c", { kind: "+S", side: "b" }], ["3d", { kind: "G", side: "b" }],
  ]);
  assert.equal(hands.b.G, 2);
  assert.equal(hands.w.P, 3);
  assert.equal(hands.b.P, 0);
});

test("a hand of more than nine pieces is read", () => {
  assert.equal(Position.fromSfen("9/9/9/9/9/9/9/9/9 b 18p 1").hands.w.P, 18);
});

test("moves in USI are read", () => {
  assert.deepEqual(readMove("G*5a"), { drop: "G", origin: null, target: "5a", promotes: false });
  assert.deepEqual(readMove("5e5a+"), { drop: null, origin: "5e", target: "5a", promotes: true });
});

test("a move leaves the position before unchanged", () => {
  const before = Position.fromSfen(START);
  const after = before.after("3d2c", "b");
  assert.deepEqual(before, Position.fromSfen(START));
  assert.equal(after.squares.has("3d"), false);
  assert.deepEqual(after.squares.get("2c"), { kind: "G", side: "b" });
});

test("a capture goes unpromoted into the mover's hand", () => {
  const after = Position.fromSfen("9/8k/7+S1/9/9/9/9/9/9 b - 1").after("1b2c", "w");
  assert.deepEqual(after.squares.get("2c"), { kind: "K", side: "w" });
  assert.equal(after.hands.w.S, 1);
  assert.equal(after.hands.b.S, 0);
});

test("a drop leaves the hand, a promotion turns the piece over", () => {
  const position = Position.fromSfen("9/8k/9/6S2/9/9/9/9/9 b G 1");
  assert.equal(position.after("G*2c", "b").hands.b.G, 0);
  assert.deepEqual(position.after("3d2c+", "b").squares.get("2c"), { kind: "+S", side: "b" });
});

test("what moves is named, and an empty square is refused", () => {
  const position = Position.fromSfen(START);
  assert.equal(position.mover("3c2b"), "+S");
  assert.equal(position.mover("P*5e"), "P");
  assert.throws(() => position.mover("5e5d"), /5e is empty/);
});

test("a piece has a choice of promotion only in or into the promotion zone, and if it could move on", () => {
  const at = (piece, square, target) => {
    const position = Position.fromSfen("9/9/9/9/9/9/9/9/9 b - 1");
    position.squares.set(square, { kind: piece, side: "b" });
    return position.hasChoice(square, target);
  };
  assert.equal(at("S", "5d", "5c"), true);
  assert.equal(at("S", "5c", "5d"), true);
  assert.equal(at("S", "5e", "5d"), false);
  assert.equal(at("P", "5b", "5a"), false);
  assert.equal(at("L", "5c", "5b"), true);
  assert.equal(at("N", "5d", "4b"), false);
  assert.equal(at("N", "5e", "4c"), true);
  assert.equal(at("G", "5d", "5c"), false);
  assert.equal(at("K", "5d", "5c"), false);
  assert.equal(at("+R", "5d", "5c"), false);
});

test("pawns and lances are dead on one rank, knights on two, each side on its own", () => {
  const dead = (square, kind, side) => isDead(square, { kind, side });
  assert.deepEqual(["1a", "1b", "1c"].map((square) => dead(square, "N", "b")), [true, true, false]);
  assert.deepEqual(["1i", "1h", "1g"].map((square) => dead(square, "N", "w")), [true, true, false]);
  assert.deepEqual(["1a", "1b", "1i"].map((square) => dead(square, "P", "b")), [true, false, false]);
  assert.equal(dead("1a", "+P", "b"), false);
});
