// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer in the browser, loaded with the first result: it replaces this one. `data-scripts` are its addresses.
"use strict";

(function () {
  const { scripts = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  /** @param {TrainingResult} result */
  async function record(result) {
    await TsumeDom.addScripts(scripts);
    return window.TsumeTrainer.record(result);
  }
  window.TsumeTrainer = /** @type {Trainer} */ ({ record });
})();
