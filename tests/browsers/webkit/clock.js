// SPDX-License-Identifier: GPL-3.0-or-later
// Time that tests set: dates and timers of a page. It runs with the real one until it is paused.
"use strict";

(function () {
  const RealDate = Date;
  const realTimeout = setTimeout;
  /** @type {Map<number, {at: number, act: () => void, every: number | null}>} */
  const timers = new Map();
  let last = 0;
  let now = RealDate.now();
  let real = RealDate.now();
  let isRunning = true;

  /** @param {number} time */
  function advance(time) {
    for (;;) {
      const [id, timer] = [...timers].sort(([, one], [, other]) => one.at - other.at)[0] || [];
      if (!id || !timer || timer.at > time) break;
      now = Math.max(now, timer.at);
      if (timer.every === null) timers.delete(id);
      else timer.at += Math.max(timer.every, 1);
      timer.act();
    }
    now = Math.max(now, time);
  }

  function tick() {
    const passed = RealDate.now() - real;
    real += passed;
    if (isRunning) advance(now + passed);
    realTimeout(tick, 10);
  }

  /** @param {boolean} repeats */
  function setter(repeats) {
    return (/** @type {Function} */ act, /** @type {number} */ wait = 0, /** @type {any[]} */ ...rest) => {
      last += 1;
      timers.set(last, { at: now + wait, act: () => act(...rest), every: repeats ? wait : null });
      return last;
    };
  }

  const clear = (/** @type {number} */ id) => { timers.delete(id); };
  class SetDate extends RealDate {
    /** @param {any[]} parts */
    constructor(...parts) {
      if (parts.length) super(.../** @type {[any]} */ (parts));
      else super(now);
    }

    static now() { return now; }
  }

  const clock = {
    pauseAt: (/** @type {number} */ time) => { isRunning = false; advance(time); },
    resume: () => { real = RealDate.now(); isRunning = true; },
    runFor: (/** @type {number} */ wait) => advance(now + wait),
    fix: (/** @type {number} */ time) => { isRunning = false; now = time; },
  };
  Object.assign(window, {
    Date: SetDate, setTimeout: setter(false), setInterval: setter(true), clearTimeout: clear, clearInterval: clear,
    TsumeClock: clock,
  });
  tick();
})();
