// SPDX-License-Identifier: GPL-3.0-or-later
// What callers wait for: the events of a stream, and promises that are settled from outside.
"use strict";

const TsumeWaiting = (function () {
  /** The events of one request, from when the worker sends them until the caller takes them. */
  class EventQueue {
    /** @type {unknown[]} */
    #events = [];
    #isOver = false;
    /** @type {{error: unknown} | null} */
    #failed = null;
    #wake = () => {};

    /** @param {unknown} event */
    put(event) {
      this.#events.push(event);
      this.#wake();
    }

    /** There will be no more. */
    end() {
      this.#isOver = true;
      this.#wake();
    }

    /**
     * The request failed.
     * @param {unknown} error
     * @param {boolean} keeps whether what came before can still be taken
     */
    fail(error, keeps) {
      this.#failed = { error };
      if (!keeps) this.#events = [];
      this.end();
    }

    /** Whether there is another event, as soon as that is known; rejects if the request failed. */
    async more() {
      while (!this.#events.length && !this.#isOver) {
        await /** @type {Promise<void>} */ (new Promise((resolve) => { this.#wake = resolve; }));
      }
      if (!this.#events.length && this.#failed) throw this.#failed.error;
      return this.#events.length > 0;
    }

    /** The next event. */
    take() {
      return this.#events.shift();
    }
  }

  /** A promise that is settled from outside; nobody has to wait for it. */
  function deferred() {
    /** @type {(value: undefined) => void} */
    let resolve = () => {};
    /** @type {(reason: unknown) => void} */
    let reject = () => {};
    /** @type {Promise<void>} */
    const promise = new Promise((res, rej) => { [resolve, reject] = [res, rej]; });
    promise.catch(() => {});
    const made = {
      promise,
      isSettled: false,
      resolve: (/** @type {undefined} */ value) => { made.isSettled = true; resolve(value); },
      reject: (/** @type {unknown} */ reason) => { made.isSettled = true; reject(reason); },
    };
    return made;
  }

  return { EventQueue, deferred };
})();
