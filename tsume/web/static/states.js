// The states of a work, one after the other, to undo and redo.
"use strict";

(function () {
  const MOST = 500;

  class States {
    constructor(first) {
      this._all = [first];
      this._at = 0;
    }

    get now() {
      return this._all[this._at];
    }

    // The state that is shown gets another value; nothing of this is undone.
    set now(state) {
      this._all[this._at] = state;
    }

    get canUndo() {
      return this._at > 0;
    }

    get canRedo() {
      return this._at < this._all.length - 1;
    }

    // A new state; those that were undone are forgotten.
    enter(state) {
      this._all = [...this._all.slice(0, this._at + 1), state].slice(-MOST);
      this._at = this._all.length - 1;
    }

    // One back (-1) or on (1). Whether there was one.
    step(by) {
      if (!(by < 0 ? this.canUndo : this.canRedo)) return false;
      this._at += by;
      return true;
    }
  }

  window.TsumeStates = { States };
})();
