// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES, load } from "./scripts.mjs";

const { readSfen, formatSfen } = load(RULES, ["TsumeSfen"]).TsumeSfen;
const BOARD = "9/8k/6+S2/6G2/9/9/9/9/9";
const COMPLETE = `${BOARD} b 2r2b3g3s4n4l18p 1`;

test("a defender without pieces in hand gets the rest", () => {
  const { position, rest } = readSfen(`${BOARD} b - 1`);
  assert.equal(formatSfen(position), COMPLETE);
  assert.equal(rest, true);
});

test("a defender's hand is kept as it is given", () => {
  const { position, rest } = readSfen(`${BOARD} b 2r 1`);
  assert.equal(formatSfen(position), `${BOARD} b 2r 1`);
  assert.equal(rest, false);
  assert.equal(readSfen(COMPLETE).rest, true);
});

test("words in front, a missing move number and spaces are accepted", () => {
  for (const text of [`sfen ${COMPLETE}`, `position sfen ${COMPLETE}`, `  ${COMPLETE} `, COMPLETE.slice(0, -2)]) {
    assert.equal(formatSfen(readSfen(text).position), COMPLETE);
  }
});

test("White to move is turned round with its moves", () => {
  const { position, moves } = readSfen("9/9/9/9/9/2g6/2+s6/K8/9 w 2R2B3G3S4N4L18P 1 moves 7f8g 9h9i");
  assert.equal(formatSfen(position), COMPLETE);
  assert.deepEqual(moves, ["3d2c", "1b1a"]);
});

test("moves are read, all or none", () => {
  assert.deepEqual(readSfen(`${COMPLETE} moves 3d2c 1b1a G*2b`).moves, ["3d2c", "1b1a", "G*2b"]);
  assert.deepEqual(readSfen(`${COMPLETE} moves 3d2c resign`).moves, []);
  assert.deepEqual(readSfen(`${COMPLETE} moves `).moves, []);
});

test("an invalid SFEN is refused", () => {
  const invalid = [
    "", "hello", BOARD, `${BOARD} b`, `${BOARD} x - 1`, `${BOARD} b 0P 1`, `${BOARD} b K 1`, `${BOARD} b - 1 2`, `${BOARD} b - one`,
    "9/9/9/9/9/9/9/9 b - 1", "9/9/9/9/9/9/9/9/9/9 b - 1", "91/9/9/9/9/9/9/9/9 b - 1", "8/9/9/9/9/9/9/9/9 b - 1",
    "9/9/9/9/4+k4/9/9/9/9 b - 1", "9/9/9/9/4+G4/9/9/9/9 b - 1", "9/9/9/9/4+/9/9/9/9 b - 1", "9/9/9/9/4?4/9/9/9/9 b - 1",
    `${COMPLETE} moves ${"3d2c ".repeat(3000)}`,
  ];
  for (const text of invalid) assert.equal(readSfen(text), null, text.slice(0, 80));
});

test("a word that is no move is told", () => {
  assert.equal(readSfen(`${COMPLETE} moves 3d2c resign`).noMove, "resign");
  assert.equal(readSfen(`${COMPLETE} moves 3d2c 1b1a`).noMove, null);
  assert.equal(readSfen(COMPLETE).noMove, null);
});
