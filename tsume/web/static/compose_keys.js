// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the whole page to compose on, text fields apart. Those with a meaning on the board only are handled in editor.js.
"use strict";

const TsumeComposeKeys = (function () {
  const { isTyping } = TsumeDom;
  /** @type {Record<string, string>} */
  const ACTIONS = { u: "undo", y: "redo", m: "mirror" };

  /**
   * @param {{
   *   line: InstanceType<typeof TsumeLinePlayer>, editor: InstanceType<typeof TsumeEditor>, act: (name: string) => void,
   * }} actions
   */
  function connect({ line, editor, act }) {
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || isTyping(event)) return;
      const name = actionOf(event);
      if (name) act(name);
      else if (!stepsThrough(line, event) && !isForBoard(editor, event)) return;
      event.preventDefault();
    });
  }

  /** @param {KeyboardEvent} event */
  function actionOf(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") return event.shiftKey ? "redo" : "undo";
      return key === "y" ? "redo" : null;
    }
    return ACTIONS[key];
  }

  /**
   * @param {InstanceType<typeof TsumeLinePlayer>} line
   * @param {KeyboardEvent} event
   */
  function stepsThrough(line, event) {
    if (!line.isOpen || event.ctrlKey || event.metaKey) return false;
    if (event.key === ",") line.step(-1);
    else if (event.key === ".") line.step(1);
    else if (event.key === "Escape") line.close();
    else return false;
    return true;
  }

  /**
   * @param {InstanceType<typeof TsumeEditor>} editor
   * @param {KeyboardEvent} event
   */
  function isForBoard(editor, event) {
    return !event.ctrlKey && !event.metaKey && editor.pressKeyElsewhere(event.key);
  }

  return { connect };
})();
