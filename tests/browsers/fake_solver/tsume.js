// SPDX-License-Identifier: GPL-3.0-or-later
// The API of the solver in the browser (tsume.js) for tests of the pages: a worker from a Blob, whose answers stand in a table.
"use strict";

const Tsume = (function () {
  class Solver {
    constructor() {
      this._count = 0;
      this._waiting = new Map();
      this._begin();
    }

    _begin() {
      const address = URL.createObjectURL(new Blob([TsumeWorker.source], { type: "text/javascript" }));
      this._worker = new Worker(address);
      this.ready = new Promise((resolve, reject) => {
        this._worker.onmessage = ({ data }) => (data.ready ? resolve() : this._receive(data));
        this._worker.onerror = reject;
      });
    }

    _receive({ id, answer, error }) {
      const asked = this._waiting.get(id);
      this._waiting.delete(id);
      if (error) asked?.reject(Object.assign(new Error(error.message), { name: error.name }));
      else asked?.resolve(answer);
    }

    ask(kind, fields, { signal } = {}) {
      return new Promise((resolve, reject) => {
        const id = this._count++;
        this._waiting.set(id, { resolve, reject, kind, fields });
        signal?.addEventListener("abort", () => this._stop(id, signal.reason));
        this._worker.postMessage({ id, kind, fields });
      });
    }

    close() {
      this._worker.terminate();
    }

    _stop(stopped, reason) {
      if (!this._waiting.has(stopped)) return;
      this._waiting.get(stopped).reject(reason);
      this._waiting.delete(stopped);
      this._worker.terminate();
      this._begin();
      for (const [id, { kind, fields }] of this._waiting) this._worker.postMessage({ id, kind, fields });
    }
  }

  return { Solver };
})();
