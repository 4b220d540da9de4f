// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer of a site without a server: results, ratings and repetition are kept in this browser.
// TSUME_PROBLEMS lists the problems. trainer_server.js does the same with a server.
"use strict";

window.TsumeTrainer = (function () {
  const { rated } = TsumeGlicko2;
  const { gradeOf, reviewed } = TsumeRepetition;
  const { load, update } = TsumeTrainingStore;
  const INITIAL = { deviation: 75, volatility: 0.06 }; // of a problem's rating
  const UNRATED_MODES = ["review", "timed", "survival", "choices"];
  const WINDOW = 50; // points beyond the nearest problem within which one is drawn
  const [RUN_START, RUN_STEP] = [-400, 25]; // a run begins below the rating and rises with each problem solved
  const PERIODS_PER_DAY = 0.2;
  const MAX_CHANGE = 100; // points by which one result moves the person's rating at most
  const DAY = 86_400_000; // milliseconds

  /** @returns {TrainingProblem[]} */
  function problems() {
    const mateIn = (/** @type {number} */ length) => TsumePhrases.say("web.mate_in", { length });
    const stored = (window.TSUME_PROBLEMS || []).map(([id, sfen, length, stars, rating, title, themes, , tags]) => ({
      id, sfen, length, stars, rating, title, themes, tags, mate_in: mateIn(length),
    }));
    const ratings = new Map(stored.map(({ length, rating }) => [length, rating])); // one of each length
    /** @param {number} wanted */
    const ratingFor = (wanted) => {
      const lengths = [...ratings.keys()].sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted));
      return ratings.get(lengths[0]) ?? 1500;
    };
    const own = TsumeExercises.all().map(({ sfen, length, title }, index, { length: count }) => ({
      id: index - count, sfen, length, stars: 0, rating: ratingFor(length), title, themes: [], tags: ["game"], mate_in: mateIn(length),
      page: `compose.html?${new URLSearchParams({ sfen, quiet: "1" })}`,
    }));
    return [...stored, ...own];
  }

  // The rating of a problem: its own if it was played here.
  /** @param {Training} training @param {{sfen: string, rating: number}} problem @returns {Rating} */
  function ratingOf(training, { sfen, rating }) {
    return training.problems[sfen] || { rating, ...INITIAL };
  }

  async function me() {
    const { rating } = load();
    return { person: { name: "", ...rounded(rating) }, sign_up: false, keeps: /** @type {const} */ ("browser") };
  }

  /** @param {Rating} rating */
  function rounded({ rating, deviation }) {
    return { rating: Math.round(rating), deviation: Math.round(deviation) };
  }

  /** @param {TrainingWish} wish @returns {Promise<NextProblem>} */
  async function next(wish) {
    const training = load();
    const { moves = [], theme = [] } = wish;
    const solved = wish.unsolved ? TsumeResults.solvedPositions() : new Set();
    const wanted = problems().filter((one) => (!moves.length || moves.includes(one.length)) &&
      (!theme.length || theme.some((tag) => one.themes.includes(tag))) && (!wish.tag || one.tags?.includes(wish.tag)) &&
      !solved.has(one.sfen) && !wish.not?.includes(one.id));
    if (wish.mode === "day") return found(problems().find(({ id }) => id === idOfDay(wish.day)), "day");
    const now = new Date().toISOString();
    const cards = wanted.filter(({ sfen }) => training.cards[sfen]);
    const due = cards.filter(({ sfen }) => training.cards[sfen].due <= now)
      .sort((a, b) => training.cards[a.sfen].due < training.cards[b.sfen].due ? -1 : 1);
    const chosen = choose(training, wish, wanted, due);
    if (chosen) return chosen;
    const later = cards.map(({ sfen }) => training.cards[sfen].due).filter((date) => date > now).sort();
    return { problem: null, due_at: later[0] || null };
  }

  // Failed problems that are due, then unseen ones near the rating, due ones, then all others.
  /** @param {Training} training @param {TrainingWish} wish @param {TrainingProblem[]} wanted @param {TrainingProblem[]} due */
  function choose(training, wish, wanted, due) {
    if (wish.mode === "review") return due.length ? found(due[0], "due") : null;
    const rises = wish.mode === "training" ? 0 : RUN_START + RUN_STEP * (wish.solved || 0);
    const unseen = wanted.filter(({ sfen }) => !training.cards[sfen]);
    const failed = wish.mode === "training" ? due.find(({ sfen }) => training.cards[sfen].failed) : undefined;
    if (failed) return found(failed, "failed");
    const fresh = nearest(training, unseen, training.rating.rating + rises);
    if (fresh) return found(fresh, "unseen");
    if (wish.mode === "training" && due.length) return found(due[0], "due");
    const other = nearest(training, wanted, training.rating.rating + rises);
    return other ? found(other, "rating") : null;
  }

  /** @param {TrainingProblem | undefined} problem @param {string} reason @returns {NextProblem} */
  function found(problem, reason) {
    return { problem: problem || null, reason, due_at: null };
  }

  // One of the problems whose rating is nearest, drawn by chance.
  /** @param {Training} training @param {TrainingProblem[]} some @param {number} rating */
  function nearest(training, some, rating) {
    const distances = some.map((one) => Math.abs(ratingOf(training, one).rating - rating));
    const most = Math.min(...distances) + WINDOW;
    const close = some.filter((_, index) => distances[index] <= most);
    return close[Math.floor(Math.random() * close.length)];
  }

  // The first result for a problem is rated, unless it is one of a review or a run.
  /** @param {TrainingResult} result @returns {Promise<Recorded>} */
  async function record(result) {
    const { sfen, mode, length } = result;
    const { cards, rating: before, open } = load();
    if (result.continues && open[sfen]) return complete(result, open[sfen]);
    const isRated = !cards[sfen] && !UNRATED_MODES.includes(mode);
    const now = new Date();
    const training = update((changed) => {
      changed.results += 1;
      if (isRated) play(changed, result, now);
      delete changed.open[sfen];
      if (!result.isSolved && result.mistakes + result.hints) {
        changed.open[sfen] = { card: changed.cards[sfen] || null, at: now.toISOString() };
      }
      changed.cards[sfen] = reviewed(changed.cards[sfen], gradeOf(result, length), now);
      const today = dayText(now);
      const earlier = changed.history.filter(([day]) => day !== today);
      changed.history = [...earlier, [today, Math.round(changed.rating.rating)]];
      if (mode === "day") changed.days.push([result.day || today, Number(result.problem), result.isSolved, isClean(result)]);
    });
    TsumeResults.add(result);
    return {
      rated: isRated, before: Math.round(before.rating), after: Math.round(training.rating.rating),
      deviation: Math.round(training.rating.deviation), due: training.cards[sfen].due,
    };
  }

  // Writes the end of an attempt that its first mistake or hint has settled; the rating stays.
  /** @param {TrainingResult} result @param {OpenAttempt} open @returns {Promise<Recorded>} */
  async function complete(result, { card, at }) {
    const { sfen, length } = result;
    const training = update((changed) => {
      delete changed.open[sfen];
      changed.cards[sfen] = reviewed(card || undefined, gradeOf(result, length), new Date(at));
      const day = [...changed.days].reverse().find(([, problem]) => problem === Number(result.problem));
      if (day && result.mode === "day") day[2] = day[2] || result.isSolved;
    });
    TsumeResults.add(result);
    const { rating, deviation } = rounded(training.rating);
    return { rated: false, before: rating, after: rating, deviation, due: training.cards[sfen].due };
  }

  // A game of the person against the problem.
  /** @param {Training} training @param {TrainingResult} result @param {Date} now */
  function play(training, result, now) {
    const { rating: person, ratedAt } = training;
    const problem = ratingOf(training, result);
    const idle = ratedAt ? Math.max(0, (now.getTime() - Date.parse(ratedAt)) / DAY) : 0;
    const played = rated(person, problem, isClean(result), idle * PERIODS_PER_DAY);
    const bounded = Math.min(Math.max(played.rating, person.rating - MAX_CHANGE), person.rating + MAX_CHANGE);
    training.rating = { ...played, rating: bounded };
    training.problems[result.sfen] = rated(problem, person, !isClean(result), 0);
    training.ratedAt = now.toISOString();
  }

  /** @param {Result} result */
  function isClean({ isSolved, mistakes, hints }) {
    return isSolved && !mistakes && !hints;
  }

  /** @param {TimedMode} mode @param {number} solved */
  async function recordRun(mode, solved) {
    const before = load().runs[mode] ?? -1;
    update((changed) => { changed.runs[mode] = Math.max(before, solved); });
    return { best: Math.max(before, solved), is_best: solved > before };
  }

  /** @param {number[]} ids */
  async function named(ids) {
    const known = new Map(problems().map((one) => [one.id, one]));
    return ids.flatMap((id) => known.get(id) || []);
  }

  /** @returns {Promise<Progress>} */
  async function progress() {
    const training = load();
    const now = new Date().toISOString();
    const dates = Object.values(training.cards).map(({ due }) => due).sort();
    const solved = TsumeResults.solvedPositions();
    const tried = problems().filter(({ sfen }) => training.cards[sfen]);
    const clean = firstClean();
    const last = new Map(TsumeResults.all().map((result, place) => [result.sfen, { place, solved: Boolean(result.solved) }]));
    return {
      ...rounded(training.rating), history: training.history, results: training.results, streak: TsumeResults.streak(),
      solved: solved.size,
      due: dates.filter((date) => date <= now).length, next_due: dates.find((date) => date > now) || null,
      by_length: tallies(tried, ({ length }) => [length], solved, clean).map(([length, tally]) => ({ length, ...tally })),
      by_theme: tallies(tried.filter(({ sfen }) => solved.has(sfen)), ({ themes }) => themes, solved, clean)
        .map(([theme, tally]) => ({ theme, name: window.TSUME_THEMES?.[theme] || theme, ...tally })),
      days: training.days, runs: { timed: null, ten_minutes: null, survival: null, ...training.runs },
      solved_ids: tried.filter(({ sfen }) => solved.has(sfen)).map(({ id }) => id),
      tried: tried.map(({ id, sfen, themes }) => ({
        problem: id, solved: last.get(sfen)?.solved || false, failed: training.cards[sfen].failed,
        themes: solved.has(sfen) ? themes : [], place: last.get(sfen)?.place || 0,
      })).sort((one, other) => other.place - one.place),
    };
  }

  // The positions that were solved without mistake and hint at the first attempt.
  function firstClean() {
    /** @type {Map<string, boolean>} */
    const first = new Map();
    for (const result of TsumeResults.all()) if (!first.has(result.sfen)) first.set(result.sfen, TsumeResults.isClean(result));
    return new Set([...first].filter(([, clean]) => clean).map(([sfen]) => sfen));
  }

  /**
   * @template Value
   * @param {TrainingProblem[]} tried
   * @param {(problem: TrainingProblem) => Value[]} values
   * @param {Set<string>} solved
   * @param {Set<string>} clean
   * @returns {[Value, Tally][]}
   */
  function tallies(tried, values, solved, clean) {
    /** @type {Map<Value, Tally>} */
    const counted = new Map();
    for (const one of tried) {
      for (const value of values(one)) {
        const tally = counted.get(value) || { tried: 0, clean: 0, solved: 0 };
        tally.tried += 1;
        tally.solved += Number(solved.has(one.sfen));
        tally.clean += Number(clean.has(one.sfen));
        counted.set(value, tally);
      }
    }
    return [...counted].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** @param {string | undefined} day */
  function idOfDay(day) {
    return TsumeDays.problemOf(window.TSUME_DAYS || [], day || dayText(new Date()))?.[0];
  }

  /** @param {Date} date */
  function dayText(date) {
    return TsumeDays.text(date);
  }

  return { me, next, problems: named, record, recordRun, progress };
})();
