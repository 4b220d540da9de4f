// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES, load } from "./scripts.mjs";

const names = ["TsumePosition", "TsumeNotation"];
const english = load(RULES, names);
const japanese = load(RULES, names, { language: "ja" });
const POSITION = english.TsumePosition.Position.fromSfen("8k/7s1/6+S2/6GP1/9/9/9/9/9 b GP 1");
const CHECKS = [
  { move: "3d2c", text: { ja: "▲２三金", en: "G-2c" } },
  { move: "3c2c", text: { ja: "▲２三成銀", en: "+Sx2c" } },
  { move: "G*2b", text: { ja: "▲２二金打", en: "G*2b" } },
  { move: "5e5a+", text: { ja: "▲５一龍", en: "R-5a+" } },
];

test("squares are named in the page's language", () => {
  assert.equal(english.TsumeNotation.squareName("2c"), "2c");
  assert.equal(japanese.TsumeNotation.squareName("2c"), "２三");
  assert.equal(english.TsumeNotation.FILE_LABELS.join(""), "987654321");
  assert.equal(japanese.TsumeNotation.FILE_LABELS.join(""), "９８７６５４３２１");
  assert.equal(japanese.TsumeNotation.RANK_LABELS.join(""), "一二三四五六七八九");
});

test("moves are written with where they come from", () => {
  const { moveText } = english.TsumeNotation;
  assert.equal(moveText(POSITION, "3d2c", "b", null), "G3d-2c");
  assert.equal(moveText(POSITION, "3c2b", "b", null), "+S3cx2b");
  assert.equal(moveText(POSITION, "2d2c+", "b", null), "P2d-2c+");
  assert.equal(moveText(POSITION, "G*1b", "b", null), "G*1b");
});

test("Japanese moves have a mark of the side, and 同 for the square of the move before", () => {
  const { moveText } = japanese.TsumeNotation;
  assert.equal(moveText(POSITION, "3d2c", "b", null), "▲２三金(34)");
  assert.equal(moveText(POSITION, "3d2c", "b", "2c"), "▲同金(34)");
  assert.equal(moveText(POSITION, "2b3c", "w", "3c"), "△同銀(22)");
  assert.equal(moveText(POSITION, "2d2c+", "b", null), "▲２三歩成(24)");
});

test("a typed move is found in USI, English and Japanese, however it is written", () => {
  const found = (text) => english.TsumeNotation.matchingChecks(text, CHECKS).map(({ move }) => move);
  for (const text of ["3d2c", "G-2c", "g2c", "２三金", "23金", "▲2三金", "☗ ２三 金"]) assert.deepEqual(found(text), ["3d2c"], text);
  for (const text of ["+Sx2c", "+s2c", "２三成銀"]) assert.deepEqual(found(text), ["3c2c"], text);
  assert.deepEqual(found("５一竜"), ["5e5a+"]);
  assert.deepEqual(found("G*2b"), ["G*2b"]);
});

test("an English move needs no origin if its promotion tells which one is meant", () => {
  const checks = ["S1c-2d=", "S1c-2d+", "S3c-2d+"].map((en, index) => ({ move: ["1c2d", "1c2d+", "3c2d+"][index], text: { en } }));
  const found = (text) => english.TsumeNotation.matchingChecks(text, checks).map(({ move }) => move);
  assert.deepEqual(found("S-2d="), ["1c2d"]);
  assert.deepEqual(found("s2d+"), ["1c2d+", "3c2d+"]);
  assert.deepEqual(found("S3c-2d+"), ["3c2d+"]);
});

test("a square alone stands for the checks that go there", () => {
  const found = (text) => english.TsumeNotation.matchingChecks(text, CHECKS).map(({ move }) => move);
  assert.deepEqual(found("22"), ["G*2b"]);
  assert.deepEqual(found("2c"), ["3d2c", "3c2c"]);
  assert.deepEqual(found("2"), []);
  assert.deepEqual(found(""), []);
  assert.deepEqual(found("9i"), []);
});

test("a tree in one language has its moves found too", () => {
  const checks = [{ move: "3d2c", text: { en: "G-2c" } }];
  assert.deepEqual(english.TsumeNotation.matchingChecks("g2c", checks), checks);
  assert.deepEqual(english.TsumeNotation.matchingChecks("2c", checks), checks);
  assert.deepEqual(english.TsumeNotation.matchingChecks("22", checks), []);
});
