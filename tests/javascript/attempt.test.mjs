// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./scripts.mjs";

const { TsumeAttempt } = load(["position", "attempt"], ["TsumeAttempt"]);
const SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1";
const text = (name) => ({ ja: name, en: name });
const TREE = {
  result: "mate",
  turns: [
    {
      key: "3d2c",
      checks: [
        {
          move: "3d2c", text: text("key"), result: "mates", rank: "key",
          answers: [{ move: "1b1a", text: text("best"), best: true, turn: 1 }, { move: "1b2a", text: text("other") }],
        },
        { move: "3c2c", text: text("unknown"), result: "open" },
        { move: "3c2b", text: text("wrong"), result: "fails", answer: "1b2b", answer_text: text("taken"), why: text("why") },
      ],
    },
    { key: "2c2b", checks: [{ move: "2c2b", text: text("mate"), result: "mates", rank: "key", answers: [] }] },
  ],
};

function begun() {
  const attempt = new TsumeAttempt(SFEN);
  attempt.load(TREE);
  return attempt;
}

test("nothing can be played before the tree is there", () => {
  assert.equal(new TsumeAttempt(SFEN).turn, null);
  assert.equal(begun().turn, TREE.turns[0]);
});

test("a problem is solved by checks, each with its answer", () => {
  const attempt = begun();
  const key = attempt.check("3d2c");
  assert.equal(attempt.turn, null);
  attempt.answer(key);
  assert.equal(attempt.turn, TREE.turns[1]);
  assert.equal(attempt.isSolved, false);
  attempt.check("2c2b");
  assert.equal(attempt.isSolved, true);
  assert.equal(attempt.turn, null);
  assert.deepEqual(attempt.moves.map(({ move }) => move), ["3d2c", "1b1a", "2c2b"]);
  const { moves, mistakes, hints } = attempt.result;
  assert.deepEqual([moves, mistakes, hints], [3, 0, 0]);
});

test("a wrong check counts as a mistake and is refuted", () => {
  const attempt = begun();
  attempt.answer(attempt.check("3c2b"));
  assert.equal(attempt.mistakes, 1);
  assert.deepEqual(attempt.moves.map(({ move, wrong }) => [move, wrong]), [["3c2b", true], ["1b2b", undefined]]);
  assert.equal(attempt.turn, null);
  assert.equal(attempt.current.position.hands.w.S, 4);
});

test("a check whose result is open is not played", () => {
  const attempt = begun();
  assert.equal(attempt.check("3c2c").result, "open");
  assert.deepEqual(attempt.moves, []);
  assert.equal(attempt.turn, TREE.turns[0]);
});

test("what is not a check here is refused", () => {
  assert.throws(() => begun().check("5e5d"), /5e5d is not a check here/);
});

test("back takes a check back with its answer, or without one", () => {
  const attempt = begun();
  assert.equal(attempt.back(), false);
  attempt.answer(attempt.check("3d2c"));
  attempt.check("2c2b");
  assert.equal(attempt.back(), true);
  assert.equal(attempt.isSolved, false);
  assert.equal(attempt.turn, TREE.turns[1]);
  attempt.back();
  assert.equal(attempt.turn, TREE.turns[0]);
});

test("mistakes and hints stay counted after going back and after a restart", () => {
  const attempt = begun();
  attempt.check("3c2b");
  attempt.back();
  assert.equal(attempt.mistakes, 1);
  attempt.restart();
  attempt.hint();
  attempt.restart();
  assert.deepEqual([attempt.mistakes, attempt.hints], [1, 1]);
});

test("the line is that of the best answers", () => {
  assert.deepEqual(new TsumeAttempt(SFEN).line, []);
  assert.deepEqual(begun().line.map(({ move }) => move), ["3d2c", "1b1a", "2c2b"]);
});

test("hints say more each time, and one that was seen does not count again", () => {
  const attempt = begun();
  const levels = [1, 2, 3, 4].map(() => attempt.hint().level);
  assert.deepEqual(levels, [1, 2, 3, 3]);
  assert.deepEqual(attempt.hint(), { level: 3, key: "3d2c", text: text("key") });
  assert.equal(attempt.hints, 3);
  const key = attempt.check("3d2c");
  assert.equal(attempt.hint(), null);
  attempt.answer(key);
  assert.equal(attempt.hint().level, 1);
  assert.equal(attempt.hints, 4);
  attempt.back();
  assert.equal(attempt.hint().level, 3);
  assert.equal(attempt.hints, 4);
});

const MORE = {
  result: "mate",
  turns: [
    { key: null, checks: [{ ...TREE.turns[0].checks[0], answers: [{ move: "1b1a", text: text("best"), best: true, turn: 1 }] }] },
    TREE.turns[1],
  ],
};

test("a check that was open is played after its result is known", () => {
  const attempt = new TsumeAttempt(SFEN);
  const [key, ...others] = TREE.turns[0].checks;
  const open = { move: key.move, text: key.text, result: "open" };
  attempt.load({ result: "mate", turns: [{ key: null, checks: [open, ...others] }, { key: null, checks: [] }] });
  assert.equal(attempt.graft(attempt.check("3d2c"), MORE).result, "mates");
  attempt.answer(attempt.check("3d2c"));
  assert.deepEqual(attempt.turn, TREE.turns[1]);
  attempt.back();
  assert.deepEqual(attempt.turn.checks.map(({ result }) => result), ["mates", "open", "fails"]);
});

test("after a best answer without a turn the play continues with the tree that was loaded", () => {
  const attempt = new TsumeAttempt(SFEN);
  const answers = [{ move: "1b1a", text: text("best"), best: true }];
  attempt.load({ result: "mate", turns: [{ key: null, checks: [{ ...TREE.turns[0].checks[0], answers }] }] });
  const check = attempt.check("3d2c");
  attempt.answer(check);
  attempt.graft(check, { result: "mate", turns: [TREE.turns[1]] });
  assert.deepEqual(attempt.turn, TREE.turns[1]);
  attempt.back();
  attempt.answer(attempt.check("3d2c"));
  assert.deepEqual(attempt.turn, TREE.turns[1]);
});

test("after a best answer for which the tree has no turn nothing can be played", () => {
  const attempt = new TsumeAttempt(SFEN);
  const answers = [{ move: "1b1a", text: text("best"), best: true }];
  attempt.load({ result: "mate", turns: [{ key: null, checks: [{ ...TREE.turns[0].checks[0], answers }] }] });
  attempt.answer(attempt.check("3d2c"));
  assert.equal(attempt.turn, null);
  assert.equal(attempt.isSolved, false);
});

test("an attempt that was kept goes on: moves, mistakes, hints and time", () => {
  const before = begun();
  before.hint();
  before.check("3c2b");
  before.back();
  before.answer(before.check("3d2c"));
  const kept = JSON.parse(JSON.stringify(before.kept));
  assert.deepEqual([kept.moves, kept.mistakes, kept.hints], [["3d2c"], 1, 1]);
  const after = begun();
  after.resume({ ...kept, seconds: 90 });
  assert.deepEqual(after.moves.map(({ move }) => move), ["3d2c", "1b1a"]);
  assert.deepEqual([after.mistakes, after.hints, after.result.seconds], [1, 1, 90]);
  after.back();
  after.hint();
  assert.equal(after.hints, 1, "it was seen before");
});

test("moves that the tree does not have end the way back", () => {
  const after = begun();
  after.resume({ moves: ["3c2b", "3d2c"], mistakes: 1, hints: 0, seen: [], seconds: 1 });
  assert.deepEqual([after.moves.length, after.mistakes, after.turn], [0, 1, TREE.turns[0]]);
});

test("the time while nobody sees the page does not count", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1000 });
  const attempt = begun();
  attempt.pause(true);
  context.mock.timers.tick(60_000);
  attempt.pause(false);
  context.mock.timers.tick(5000);
  assert.equal(attempt.result.seconds, 5);
});
