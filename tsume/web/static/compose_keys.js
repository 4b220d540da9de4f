// Keys of the whole page to compose on, and pasted text. Keys on the board are handled in editor.js.
"use strict";

const TsumeComposeKeys = (function () {
  const { closest } = TsumeDom;
  /** @type {Record<string, string>} */
  const ACTIONS = { u: "undo", y: "redo", m: "mirror" };

  /**
   * @param {{
   *   line: InstanceType<typeof TsumeLinePlayer>, act: (name: string) => void, paste: (text: string) => void,
   * }} actions
   */
  function connect({ line, act, paste }) {
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || closest(event, "input, textarea, select")) return;
      const name = actionOf(event);
      if (name) act(name);
      else if (!stepsThrough(line, event)) return;
      event.preventDefault();
    });
    document.addEventListener("paste", (event) => {
      if (closest(event, "input, textarea")) return;
      const text = event.clipboardData?.getData("text/plain") || "";
      if (text.trim()) paste(text);
    });
  }

  /** @param {KeyboardEvent} event */
  function actionOf(event) {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === "z") return event.shiftKey ? "redo" : "undo";
      return key === "y" ? "redo" : null;
    }
    return isNearBoard(event) ? ACTIONS[key] : null;
  }

  /**
   * @param {InstanceType<typeof TsumeLinePlayer>} line
   * @param {KeyboardEvent} event
   */
  function stepsThrough(line, event) {
    if (!line.isOpen || event.ctrlKey || event.metaKey || !isNearBoard(event)) return false;
    if (event.key === ",") line.step(-1);
    else if (event.key === ".") line.step(1);
    else if (event.key === "Escape") line.close();
    else return false;
    return true;
  }

  /**
   * Single letters have no meaning in the rest of the page.
   * @param {Event} event
   */
  function isNearBoard(event) {
    return closest(event, ".tc-left, .tc-verdict") !== null;
  }

  return { connect };
})();
