// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./scripts.mjs";

const SCRIPTS = ["phrases", "storage", "results", "day_rotation", "glicko2", "repetition", "training_store", "exercises", "trainer_browser"];
const DAY = 86_400_000;
const NAMES = ["fork", "pin"];

// Problems of 3 and 5 plies with ratings from 1000 to 2000, as a site lists them.
function problems(count) {
  return [...Array(count).keys()].map((n) => [
    n + 1, `sfen ${n + 1}`, n % 2 ? 5 : 3, 1 + n % 5, 1000 + Math.round(1000 * n / count), "", [NAMES[n % 2]], n,
  ]);
}

/** A trainer in a fresh browser whose clock is moved by `clock.now`, and whose chance is that of a seed. */
function fresh(count = 300, seed = 1) {
  const clock = { now: Date.parse("2026-03-01T08:00:00Z") };
  class Clock extends Date {
    constructor(...given) {
      super(...(given.length ? given : [clock.now]));
    }

    static now() {
      return clock.now;
    }
  }
  const window = { TSUME_PROBLEMS: problems(count), TSUME_DAYS: [[3, 3, 1], [1, 5, 2]] };
  const chance = Object.create(Math, { random: { value: random(seed) } });
  const loaded = load(SCRIPTS, ["TsumeResults", "TsumeDays"], { window, Date: Clock, Math: chance });
  return { ...loaded, trainer: window.TsumeTrainer, clock };
}

function resultOf(problem, { clean = true, mode = "training", ...other } = {}) {
  return {
    problem: String(problem.id), sfen: problem.sfen, length: problem.length, rating: problem.rating, mode,
    isSolved: clean, moves: problem.length, mistakes: clean ? 0 : 1, hints: 0, seconds: 60, ...other,
  };
}

test("the first result for a problem is rated, later ones and those of runs are not", async () => {
  const { trainer } = fresh();
  const { problem, reason } = await trainer.next({ mode: "training" });
  assert.equal(reason, "unseen");
  assert.ok(Math.abs(problem.rating - 1500) <= 60);
  const won = await trainer.record(resultOf(problem));
  assert.ok(won.rated && won.after > 1500 && won.deviation < 350);
  assert.equal((await trainer.record(resultOf(problem, { clean: false }))).rated, false);
  const other = (await trainer.next({ mode: "timed" })).problem;
  assert.equal((await trainer.record(resultOf(other, { mode: "timed" }))).rated, false);
  assert.equal((await trainer.me()).person.rating, won.after);
});

test("only problems of the length and theme that are wanted, and not those left out", async () => {
  const { trainer } = fresh(6);
  const ids = new Set();
  for (let n = 0; n < 20; n += 1) ids.add((await trainer.next({ mode: "timed", moves: [5, 7], theme: ["pin"], not: [2] })).problem.id);
  assert.ok([...ids].every((id) => id === 4 || id === 6));
  assert.deepEqual(await trainer.next({ mode: "training", theme: ["zz"] }), { problem: null, due_at: null });
  const { problem } = await trainer.next({ mode: "choices", moves: [3, 5], theme: ["fork", "pin"] });
  assert.equal((await trainer.record(resultOf(problem, { mode: "choices" }))).rated, false);
  const others = [1, 2, 3, 4, 5, 6].filter((id) => id !== problem.id);
  assert.equal((await trainer.next({ mode: "timed", unsolved: true, not: others })).problem, null);
  assert.deepEqual((await trainer.problems([5, 99, 2])).map(({ id }) => id), [5, 2]);
});

test("the problem of the day is that of the date", async () => {
  const { trainer, TsumeDays } = fresh();
  const even = (await trainer.next({ mode: "day", day: "1970-01-01" })).problem.id;
  const odd = (await trainer.next({ mode: "day", day: "1970-01-02" })).problem.id;
  assert.deepEqual([even, odd], [3, 1]);
  assert.equal(TsumeDays.text(new Date(2026, 0, 5)), "2026-01-05");
  await trainer.record(resultOf({ id: 3, sfen: "sfen 3", length: 3, rating: 1007 }, { mode: "day", day: "1970-01-01" }));
  assert.deepEqual((await trainer.progress()).days, [["1970-01-01", 3, true, true]]);
});

test("the best run is kept", async () => {
  const { trainer } = fresh();
  assert.deepEqual(await trainer.recordRun("timed", 5, 180), { best: 5, is_best: true });
  assert.deepEqual(await trainer.recordRun("timed", 3, 180), { best: 5, is_best: false });
  assert.deepEqual((await trainer.progress()).runs, { timed: 5, ten_minutes: null, survival: null });
});

test("progress counts problems by length, and by the themes of those solved", async () => {
  const { trainer } = fresh();
  const [one, two] = [{ id: 1, sfen: "sfen 1", length: 3, rating: 1000 }, { id: 2, sfen: "sfen 2", length: 5, rating: 1003 }];
  await trainer.record(resultOf(one, { clean: false, isSolved: true }));
  await trainer.record(resultOf(one));
  await trainer.record(resultOf(two, { clean: false }));
  const { by_length, by_theme, solved_ids, results, tried } = await trainer.progress();
  assert.deepEqual(tried.map(({ problem, solved, failed, themes }) => [problem, solved, failed, themes]),
    [[2, false, true, []], [1, true, false, ["fork"]]]);
  assert.deepEqual(by_length, [{ length: 3, tried: 1, clean: 0, solved: 1 }, { length: 5, tried: 1, clean: 0, solved: 0 }]);
  assert.deepEqual(by_theme.map(({ theme, solved }) => [theme, solved]), [["fork", 1]]);
  assert.deepEqual([solved_ids, results], [[1], 3]);
});

// A random number between 0 and 1, the same for a seed (mulberry32).
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

for (const strength of [1200, 1500, 1800]) {
  test(`a learner of strength ${strength} over 30 days`, async () => {
    let near = 0;
    for (let seed = 1; seed <= 2; seed += 1) {
      const { trainer, clock } = fresh(600, seed);
      const draw = random(seed * strength);
      const due = new Map(); // by problem
      for (let day = 0; day < 30; day += 1) {
        let unseen = 0;
        while (unseen < 2) {
          const { problem, reason } = await trainer.next({ mode: "training" });
          const late = [...due].filter(([, date]) => Date.parse(date) <= clock.now).map(([id]) => id);
          if (late.length) assert.ok(late.includes(problem.id), "a failed problem that is due comes first");
          if (reason === "unseen") unseen += 1;
          const clean = draw() < 1 / (1 + 10 ** ((problem.rating - strength) / 400));
          const recorded = await trainer.record(resultOf(problem, { clean }));
          if (clean) due.delete(problem.id);
          else due.set(problem.id, recorded.due);
        }
        clock.now += DAY;
      }
      near += Number(Math.abs((await trainer.me()).person.rating - strength) <= 100);
    }
    assert.equal(near, 2);
  });
}
