// SPDX-License-Identifier: GPL-3.0-or-later
// Attempts that have not ended, kept in this browser as they happen, and their results. The first mistake or hint settles
// an attempt: its result is recorded at once, so that nothing that happens to the page takes it back.
"use strict";

/**
 * What is kept of an attempt: the attacker's moves, mistakes, hints and the highest level of hints by turn, seconds, and
 * what its result changed when it was settled.
 * @typedef {{
 *   moves: string[], mistakes: number, hints: number, seen: [number | null, number][], seconds: number,
 *   settled?: Recorded | null,
 * }} KeptAttempt
 */

/**
 * What a player does with an attempt: `resume` goes on with one that was kept, and returns whether there is one; `note`
 * follows each change, `ended` is the last thing.
 * @typedef {{
 *   resume: (attempt: InstanceType<typeof TsumeAttempt>) => boolean, note: (attempt: InstanceType<typeof TsumeAttempt>) => void,
 *   ended: (result: Result) => Promise<void>,
 * }} AttemptRecording
 */

const TsumeAttempts = (function () {
  const { remember, rememberedJson } = TsumeStorage;
  const { say } = TsumePhrases;
  const KEY = "tsume.attempts";
  const MOST = 50;
  const PROVISIONAL = 110; // deviation above which a rating is provisional

  /** @returns {[sfen: string, attempt: KeptAttempt][]} */
  function all() {
    const stored = rememberedJson(KEY);
    return Array.isArray(stored) ? stored.filter((one) => Array.isArray(one) && Array.isArray(one[1]?.moves)) : [];
  }

  // The attempt at a position that has not ended, if there is one.
  /** @param {string} sfen */
  function kept(sfen) {
    return all().find(([other]) => other === sfen)?.[1];
  }

  /** @param {string} sfen @param {Partial<KeptAttempt>} part */
  function keep(sfen, part) {
    const before = { moves: [], mistakes: 0, hints: 0, seen: [], seconds: 0, ...kept(sfen) };
    const attempt = { ...before, ...part };
    for (const count of /** @type {const} */ (["mistakes", "hints"])) { // another tab may have had more
      attempt[count] = Math.max(attempt[count], before[count]);
    }
    remember(KEY, JSON.stringify([...all().filter(([other]) => other !== sfen), [sfen, attempt]].slice(-MOST)));
  }

  /** @param {string} sfen */
  function forget(sfen) {
    remember(KEY, JSON.stringify(all().filter(([other]) => other !== sfen)));
  }

  // Forgets all attempts: somebody else plays here now.
  function clear() {
    TsumeStorage.forget(KEY);
  }

  /**
   * Keeps and records an attempt at a problem; `told` gets what its result changed, or the error.
   * @param {Omit<TrainingResult, keyof Result>} facts
   * @param {{settled: (recorded: Recorded | null) => void, ended: (recorded: Recorded | null) => void, failed: (error: unknown) => void}} told
   * @returns {AttemptRecording}
   */
  function recording(facts, told) {
    const { sfen } = facts;
    let [isOpen, isSettled] = [false, false];
    /** @type {Promise<unknown>} */
    let settling = Promise.resolve();

    /** @param {Result} result */
    async function settle(result) {
      try {
        const recorded = await window.TsumeTrainer.record({ ...facts, ...result, isSolved: false });
        if (kept(sfen)) keep(sfen, { settled: recorded });
        told.settled(recorded);
      } catch (error) {
        told.failed(error);
      }
    }

    return {
      resume(attempt) {
        const before = kept(sfen);
        isOpen = true;
        if (!before) return false;
        attempt.resume(before);
        isSettled = before.mistakes + before.hints > 0;
        if (before.settled) told.settled(before.settled);
        return true;
      },
      note(attempt) {
        const { kept: now, result } = attempt;
        const helped = now.mistakes + now.hints > 0;
        if (!isOpen || !(now.moves.length || helped)) return;
        keep(sfen, now);
        if (!helped || isSettled) return;
        isSettled = true;
        settling = settle(result);
      },
      async ended(result) {
        await settling;
        const before = kept(sfen);
        forget(sfen);
        const mistakes = Math.max(result.mistakes, before?.mistakes || 0);
        const hints = Math.max(result.hints, before?.hints || 0);
        const [settled, continues] = [before?.settled, mistakes + hints > 0];
        try {
          const recorded = await window.TsumeTrainer.record(
            { ...facts, ...result, mistakes, hints, continues, completes: settled?.result });
          told.ended(recorded && settled && !recorded.rated ? { ...settled, due: recorded.due } : recorded);
        } catch (error) {
          told.failed(error);
        }
      },
    };
  }

  // As `recording`, with a paragraph that tells what the result changed, or the error.
  /** @param {Omit<TrainingResult, keyof Result>} facts */
  function toldRecording(facts) {
    const said = TsumeDom.make("p", { class: "tp-rating", "aria-live": "polite" });
    /** @param {Recorded | null} recorded */
    const tell = (recorded) => {
      said.textContent = recorded ? changeText(recorded) : "";
      said.classList.toggle("tp-lost", Boolean(recorded && recorded.after < recorded.before));
    };
    /** @param {unknown} error */
    const failed = (error) => { said.textContent = error instanceof Error ? error.message : ""; };
    return { said, recording: recording(facts, { settled: tell, ended: tell, failed }) };
  }

  // A rating with how well it is known.
  /** @param {{rating: number, deviation: number}} rating */
  function ratingText({ rating, deviation }) {
    return say("web.rating_now", { rating, deviation }) + provisional(deviation);
  }

  /** @param {Recorded} recorded */
  function changeText({ rated, before, after, deviation }) {
    if (!rated) return "";
    const change = after - before;
    const signed = change < 0 ? `−${-change}` : `+${change}`;
    return say("web.rating_changed", { before, after, change: signed, provisional: provisional(deviation) });
  }

  /** @param {number} deviation */
  function provisional(deviation) {
    return deviation > PROVISIONAL ? say("web.rating_provisional") : "";
  }

  return { kept, keep, forget, clear, recording, toldRecording, ratingText, changeText };
})();
