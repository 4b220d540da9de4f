// SPDX-License-Identifier: GPL-3.0-or-later
// The training page: chooses problems, plays them one after the other, keeps results, shows progress.
"use strict";

/**
 * What is going on: a mode with its problems so far; list: problems in their order, instead of those that the trainer chooses;
 * minutes: of a timed run.
 * @typedef {{day?: string, list?: TrainingProblem[], title?: string, minutes?: number}} RunOptions
 * @typedef {RunOptions & {
 *   mode: Mode, solved: number, failed: number, seen: number[], began: number, outcomes: RunOutcome[],
 * }} TrainingRun
 */

(function () {
  const { say } = TsumePhrases;
  const trainer = window.TsumeTrainer;
  const root = TsumeDom.find(document, ".training");
  const MAX_FAILURES = 3;
  const PAUSES = { solved: 700, failed: 2500 }; // milliseconds before the next problem of a run, that of training.css after a mistake
  /** @type {TrainingRun | null} */
  let run = null;
  /** @type {TrainingRun | null} */
  let last = null; // the run that has ended
  /** @type {InstanceType<typeof TsumePlayer> | null} */
  let player = null;
  let [clock, pause] = [0, 0];

  const view = new TsumeTrainingView(root, {
    start: (mode, minutes) => start(mode, { minutes }), next: () => next(), again: () => last && start(last.mode, last),
    answer: () => answer(), stop: () => finish(), playDay: (day) => start("day", { day }),
    retry: (list) => start("review", { list, title: say("training.list_failed") }), play: (ids) => playList(ids, say("training.list_failed"), "review"),
    playList,
  });

  /** @param {TrainingRun} some */
  const isTimed = (some) => some.mode === "timed" || some.mode === "survival";

  /** @param {Mode} mode @param {RunOptions} [options] */
  function start(mode, { day, list, title, minutes } = {}) {
    clearInterval(clock);
    run = { mode, day, list, title, minutes, solved: 0, failed: 0, seen: [], began: Date.now(), outcomes: [] };
    view.begin();
    clock = window.setInterval(tick, 250);
    tick();
    advance();
  }

  /** @param {number[]} ids @param {string} [title] @param {Mode} [mode] */
  function playList(ids, title, mode = "free") {
    trainer.problems(ids).then((list) => start(mode, { list, title }), fail);
  }

  function tick() {
    if (!run) return;
    const { title = "", list, seen, solved, failed, mode, began, minutes = 0 } = run;
    const passed = Math.floor((Date.now() - began) / 1000);
    const left = 60 * minutes - passed;
    const parts = { solved, failed, tried: solved + failed, most: MAX_FAILURES, time: TsumePhrases.clock(minutes ? left : passed) };
    if (minutes && left <= 0) finish();
    else if (list) view.status(list.length ? `${title} (${seen.length} / ${list.length})` : "");
    else view.status(say(minutes ? "training.timed_status" : mode === "survival" ? "training.survival_status" : "training.session_status", parts), isTimed(run) ? run.outcomes : []);
  }

  // Gives up a problem that is still played, and goes on.
  function next() {
    player?.giveUp();
    advance();
  }

  function answer() {
    if (!run || !player) return;
    player.giveUp();
    view.answer(run.outcomes[run.outcomes.length - 1].problem, player);
  }

  async function advance() {
    const current = run;
    if (!current) return;
    clearTimeout(pause);
    const { day, solved, seen, list } = current;
    if (current.mode === "day" && seen.length) current.mode = "training";
    const isOver = current.mode === "survival" ? current.failed >= MAX_FAILURES : list && seen.length && seen.length === list.length;
    if (isOver) {
      finish();
    } else if (list) {
      if (list.length) open(current, list[seen.length], "unseen");
      else none(current, null);
    }
    if (isOver || list) return;
    try {
      const { problem, reason = "", due_at } = await trainer.next({ mode: /** @type {RunMode} */ (current.mode), day, solved, not: seen, ...view.wish });
      if (run !== current) return; // another one was started, or it has ended
      if (problem) open(current, problem, reason);
      else none(current, due_at);
    } catch (error) {
      fail(error);
    }
  }

  /** @param {TrainingRun} current @param {string | null} due */
  function none(current, due) {
    const said = due ? say("training.none_until", { date: view.dateText(due) }) : say("training.none");
    if (!current.seen.length) {
      run = null;
      closePlayer();
      view.empty(said);
      return;
    }
    finish();
    if (!isTimed(current)) view.changed(said);
  }

  function closePlayer() {
    player?.close();
    player = null;
  }

  /** @param {TrainingRun} current @param {TrainingProblem} problem @param {string} reason */
  function open(current, problem, reason) {
    current.seen.push(problem.id);
    current.outcomes.push({ problem, came: "open" });
    closePlayer();
    const isLast = current.list?.length === current.seen.length;
    const place = view.problem(problem, reason, { isTimed: isTimed(current), isLast });
    tick();
    const { sfen } = problem;
    const recording = isTimed(current) ? undefined : recordingOf(current, problem);
    /** @type {ReturnType<typeof TsumeChoices> | undefined} */
    let choices;
    const opened = new TsumePlayer(place, {
      sfen, recording, shown: (attempt) => choices?.(attempt),
      ended: (result) => {
        const isClean = result.isSolved && !result.mistakes && !result.hints;
        current[isClean ? "solved" : "failed"] += 1;
        current.outcomes[current.outcomes.length - 1].came = isClean ? "solved" : result.isSolved ? "helped" : "failed";
        if (recording) recording.ended(result);
        else ended(current, problem, result);
      },
      mistaken: () => {
        if (recording) view.settled();
        else opened.giveUp();
      },
    });
    player = opened;
    view.place();
    if (current.mode === "choices") {
      choices = TsumeChoices(place, () => {
        current.outcomes.pop();
        advance();
      });
    }
    opened.open({ ...problem, address: view.address("api", problem) }).catch(() => {
      if (run === current) view.ended(null); // the way to another one
    });
  }

  /** @param {TrainingRun} current @param {TrainingProblem} problem */
  function factsOf({ mode, day }, { id, sfen, length, rating }) {
    const facts = { problem: String(id), sfen, length, rating, mode };
    return mode === "day" ? { ...facts, day: day || TsumeDays.text(new Date()) } : facts;
  }

  // What becomes of an attempt that is not one of a run.
  /** @param {TrainingRun} current @param {TrainingProblem} problem */
  function recordingOf(current, problem) {
    const isShown = () => run === current && current.seen[current.seen.length - 1] === problem.id;
    return TsumeAttempts.recording(factsOf(current, problem), {
      settled: (recorded) => {
        if (isShown()) view.settled(recorded);
        refresh().catch(fail);
      },
      ended: (recorded) => {
        if (isShown()) view.ended(recorded);
        refresh().catch(fail);
      },
      failed: (error) => {
        if (isShown() && !player?.isGoingOn) view.ended(null);
        fail(error);
      },
    });
  }

  // After a problem of a run.
  /** @param {TrainingRun} current @param {TrainingProblem} problem @param {Result} result */
  async function ended(current, problem, result) {
    tick();
    if (!result.isSolved) view.failed();
    pause = window.setTimeout(() => run === current && advance(), result.isSolved ? PAUSES.solved : PAUSES.failed);
    try {
      await trainer.record({ ...result, ...factsOf(current, problem) });
    } catch (error) {
      fail(error);
    }
  }

  async function finish() {
    clearInterval(clock);
    clearTimeout(pause);
    const ending = run;
    run = null;
    if (!ending) return;
    last = ending;
    closePlayer();
    view.runEnded(ending);
    if (!isTimed(ending)) return;
    try {
      const seconds = Math.round((Date.now() - ending.began) / 1000);
      const mode = ending.mode === "survival" ? "survival" : ending.minutes === 10 ? "ten_minutes" : "timed";
      const { best, is_best } = await trainer.recordRun(mode, ending.solved, seconds);
      view.changed(best ? say(is_best ? "training.run_is_best" : "training.run_best", { best }) : "");
      await refresh();
    } catch (error) {
      fail(error);
    }
  }

  /** @param {unknown} error */
  function fail(error) {
    view.changed(error instanceof Error ? error.message : say("web.failed"));
  }

  async function refresh() {
    const identity = await trainer.me();
    view.person(identity);
    window.TsumePersons?.show(identity);
    window.TsumeClasses?.show(identity);
    root.classList.toggle("tr-nobody", !identity.person);
    if (identity.person) view.progress(await trainer.progress());
  }

  window.TsumePersons?.attach(root, refresh);
  window.TsumeClasses?.attach(root, playList);
  refresh().catch(fail);
  const { mode, day, list, title } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (mode === "day" || mode === "training") start(mode, { day });
  else if (list) playList([...new Set(list.split(",").map(Number))].filter((id) => id > 0 && Number.isInteger(id)), title);
})();
