// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES, load } from "./scripts.mjs";

const { TsumePosition, TsumeLegality } = load(RULES, ["TsumePosition", "TsumeLegality"]);
const faults = (sfen) => TsumeLegality.faults(TsumePosition.Position.fromSfen(sfen));

test("a legal position has no faults", () => {
  assert.deepEqual(faults("9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"), []);
  assert.deepEqual(faults("8k/9/9/9/9/9/9/9/K8 b - 1"), []);
});

test("there must be one defender's king and at most one attacker's", () => {
  assert.deepEqual(faults("9/9/9/9/9/9/9/9/K8 b - 1"), ["compose.no_king"]);
  assert.deepEqual(faults("8k/9/9/9/9/9/9/9/KK7 b - 1"), ["compose.kings compose.side_b 2", "compose.too_many K 1"]);
  assert.deepEqual(faults("7kk/9/9/9/9/9/9/9/9 b - 1"), ["compose.kings compose.side_w 2"]);
});

test("two pawns of a side on a file are one fault with both squares", () => {
  assert.deepEqual(faults("8k/4P4/4p4/4P4/4+P4/9/9/9/9 b - 1"), ["compose.two_pawns compose.side_b 5bweb.and5d 2"]);
  assert.deepEqual(faults("8k/9/4p4/9/9/4p4/9/9/9 b - 1"), ["compose.two_pawns compose.side_w 5cweb.and5f 2"]);
});

test("each dead piece is named", () => {
  assert.deepEqual(faults("NP6k/9/9/9/9/9/9/9/l8 b - 1"), ["compose.dead 9a N", "compose.dead 8a P", "compose.dead 9i L"]);
});

test("too many pieces are counted on the board and in both hands", () => {
  assert.deepEqual(faults("8k/9/9/9/9/9/9/9/4R4 b Rr 1"), ["compose.too_many R 1"]);
  assert.deepEqual(faults("8k/9/9/9/9/9/9/9/4+R4 b 2G3g 1"), ["compose.too_many G 1"]);
});

test("a board with a king of the defender, or nothing, is bare", () => {
  const isBare = (sfen) => TsumeLegality.isBare(TsumePosition.Position.fromSfen(sfen));
  assert.equal(isBare("9/9/9/9/9/9/9/9/9 b - 1"), true);
  assert.equal(isBare("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"), true);
  for (const sfen of ["4k4/9/9/9/9/9/9/9/9 b G 1", "4k4/9/4G4/9/9/9/9/9/9 b - 1", "4K4/9/9/9/9/9/9/9/9 b - 1", "k3k4/9/9/9/9/9/9/9/9 b - 1"]) {
    assert.equal(isBare(sfen), false);
  }
});
