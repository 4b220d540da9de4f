// SPDX-License-Identifier: GPL-3.0-or-later
// The training page: chooses problems, plays them one after the other, keeps results, shows progress.
"use strict";

/**
 * What is going on: a mode with its problems so far; list: problems in their order, instead of those that the trainer chooses.
 * @typedef {{day?: string, list?: TrainingProblem[], title?: string}} RunOptions
 * @typedef {RunOptions & {
 *   mode: Mode, solved: number, failed: number, seen: number[], began: number, outcomes: RunOutcome[],
 * }} TrainingRun
 */

(function () {
  const { say } = TsumePhrases;
  const trainer = window.TsumeTrainer;
  const root = TsumeDom.find(document, ".training");
  const [RUN_SECONDS, MAX_FAILURES] = [180, 3];
  const PAUSES = { solved: 700, failed: 1800 }; // milliseconds before the next problem of a run
  /** @type {TrainingRun | null} */
  let run = null;
  /** @type {TrainingRun | null} */
  let last = null; // the run that has ended
  /** @type {InstanceType<typeof TsumePlayer> | null} */
  let player = null;
  let clock = 0;

  const view = new TsumeTrainingView(root, {
    start: (mode) => start(mode), next: () => advance(), again: () => last && start(last.mode, last), giveUp: () => player?.giveUp(),
    stop: () => finish(), playDay: (day) => start("day", { day }), retry: (list) => start("review", { list }),
    play: (ids) => playList("review", ids),
  });

  /** @param {TrainingRun} some */
  const isTimed = (some) => some.mode === "timed" || some.mode === "survival";

  /** @param {Mode} mode @param {RunOptions} [options] */
  function start(mode, { day, list, title } = {}) {
    clearInterval(clock);
    run = { mode, day, list, title, solved: 0, failed: 0, seen: [], began: Date.now(), outcomes: [] };
    view.begin(list ? "free" : mode);
    view.running(isTimed(run) || list !== undefined);
    if (mode === "timed") clock = window.setInterval(tick, 250);
    tick();
    advance();
  }

  /** @param {Mode} mode @param {number[]} ids @param {string} [title] */
  function playList(mode, ids, title) {
    trainer.problems(ids).then((list) => start(mode, { list, title }), fail);
  }

  function tick() {
    if (!run || !isTimed(run)) {
      const { title = "", list, seen = [] } = run || {};
      view.status(list?.length ? `${title} ${seen.length} / ${list.length}` : "");
      return;
    }
    const left = RUN_SECONDS - Math.floor((Date.now() - run.began) / 1000);
    const parts = { solved: run.solved, failed: run.failed, most: MAX_FAILURES };
    if (run.mode === "survival") view.status(say("training.survival_status", parts));
    else if (left > 0) view.status(say("training.timed_status", { ...parts, minutes: Math.floor(left / 60), seconds: String(left % 60).padStart(2, "0") }));
    else finish();
  }

  async function advance() {
    const current = run;
    if (!current) return;
    const { mode, day, solved, seen, list } = current;
    if (list) {
      if (list.length > seen.length) open(current, list[seen.length], "unseen");
      else if (seen.length) finish();
      else none(current, null);
      return;
    }
    try {
      const { problem, reason = "", due_at } = await trainer.next({ mode: /** @type {RunMode} */ (mode), day, solved, not: seen, ...view.wish });
      if (run !== current) return; // another one was started, or it has ended
      if (problem) open(current, problem, reason);
      else none(current, due_at);
    } catch (error) {
      fail(error);
    }
  }

  /** @param {TrainingRun} current @param {string | null} due */
  function none(current, due) {
    closePlayer();
    if (isTimed(current) && current.seen.length) finish();
    else view.empty(due ? say("training.none_until", { date: TsumeDays.text(new Date(due)) }) : say("training.none"));
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
    const place = view.problem(problem, reason);
    if (isTimed(current)) view.running(true);
    else tick();
    const { sfen } = problem;
    const recording = isTimed(current) ? undefined : recordingOf(current, problem);
    /** @type {ReturnType<typeof TsumeChoices> | undefined} */
    let choices;
    const opened = new TsumePlayer(place, {
      sfen, recording, shown: (attempt) => choices?.(attempt),
      ended: (result) => {
        const came = result.isSolved && !result.mistakes ? "solved" : "failed";
        current[came] += 1;
        current.outcomes[current.outcomes.length - 1].came = came;
        if (recording) recording.ended(result);
        else ended(current, problem, result);
      },
      mistaken: () => { if (!recording) opened.giveUp(); },
    });
    player = opened;
    place.classList.toggle("tr-choosing", current.mode === "choices");
    if (current.mode === "choices") choices = TsumeChoices(place, () => advance());
    view.reveal();
    opened.open({ ...problem, address: view.apiAddress(problem) }).catch(() => {
      if (run === current) view.ended(null); // the way to another one
    });
  }

  /** @param {TrainingRun} current @param {TrainingProblem} problem */
  function factsOf({ mode, day }, { id, sfen, length, rating }) {
    const facts = { problem: String(id), sfen, length, rating, mode };
    return mode === "day" ? { ...facts, day: day || TsumeDays.text(new Date()) } : facts;
  }

  /**
   * What becomes of an attempt that is not one of a run.
   * @param {TrainingRun} current
   * @param {TrainingProblem} problem
   */
  function recordingOf(current, problem) {
    const isShown = () => run === current && current.seen[current.seen.length - 1] === problem.id;
    return TsumeAttempts.recording(factsOf(current, problem), {
      settled: (recorded) => {
        if (recorded && isShown()) view.changed(TsumeAttempts.changeText(recorded));
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

  /**
   * After a problem of a run.
   * @param {TrainingRun} current
   * @param {TrainingProblem} problem
   * @param {Result} result
   */
  async function ended(current, problem, result) {
    goOn(current, result.isSolved);
    try {
      await trainer.record({ ...result, ...factsOf(current, problem) });
    } catch (error) {
      fail(error);
    }
  }

  /**
   * The next problem of a run after a moment, or its end.
   * @param {TrainingRun} current
   * @param {boolean} isSolved
   */
  function goOn(current, isSolved) {
    tick();
    setTimeout(() => {
      if (run !== current) return;
      if (current.mode === "survival" && current.failed >= MAX_FAILURES) finish();
      else advance();
    }, isSolved ? PAUSES.solved : PAUSES.failed);
  }

  async function finish() {
    clearInterval(clock);
    const ending = run;
    run = null;
    if (!ending || !(isTimed(ending) || ending.list)) return;
    last = ending;
    closePlayer();
    view.running(false);
    view.status(ending.title || "");
    view.runEnded(ending);
    if (!isTimed(ending)) return;
    try {
      const seconds = Math.round((Date.now() - ending.began) / 1000);
      const mode = ending.mode === "timed" ? "timed" : "survival";
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
    root.classList.toggle("tr-nobody", !identity.person);
    if (identity.person) view.progress(await trainer.progress());
  }

  window.TsumePersons?.attach(root, refresh);
  refresh().catch(fail);
  const { mode, day, list, title } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (mode === "day" || mode === "training") start(mode, { day });
  else if (list) playList("free", [...new Set(list.split(",").map(Number))].filter((id) => id > 0 && Number.isInteger(id)), title);
})();
