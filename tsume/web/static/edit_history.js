// SPDX-License-Identifier: GPL-3.0-or-later
// The states of an edited work, to undo and redo.
"use strict";

/** @template State */
class TsumeEditHistory {
  static MAX_STATES = 500;

  /** @param {State} first */
  constructor(first) {
    this._states = [first];
    this._index = 0;
  }

  get current() {
    return this._states[this._index];
  }

  // Replaces the current state without a step that can be undone.
  set current(state) {
    this._states[this._index] = state;
  }

  get canUndo() {
    return this._index > 0;
  }

  get canRedo() {
    return this._index < this._states.length - 1;
  }

  // Adds a state; undone states are dropped.
  /** @param {State} state */
  push(state) {
    this._states = [...this._states.slice(0, this._index + 1), state].slice(-TsumeEditHistory.MAX_STATES);
    this._index = this._states.length - 1;
  }

  // One state back (-1) or forward (1). Returns whether there is one.
  /** @param {-1 | 1} step */
  step(step) {
    if (!(step < 0 ? this.canUndo : this.canRedo)) return false;
    this._index += step;
    return true;
  }
}
