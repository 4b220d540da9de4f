// SPDX-License-Identifier: GPL-3.0-or-later
// Texts and files that are pasted or dropped anywhere on the page to compose on.
"use strict";

const TsumeComposeDrop = (function () {
  const { isTyping } = TsumeDom;

  /** @typedef {{readText: (text: string) => void, readFile: (file: File) => void, refusePicture: () => void}} DropActions */

  /** @param {DropActions} actions */
  function connect(actions) {
    document.addEventListener("paste", (event) => {
      if (event.clipboardData && !isTyping(event) && take(event.clipboardData, actions)) event.preventDefault();
    });
    document.addEventListener("dragover", (event) => {
      if (isForeign(event)) event.preventDefault(); // otherwise nothing can be dropped
    });
    document.addEventListener("drop", (event) => {
      if (!event.dataTransfer || !isForeign(event)) return;
      event.preventDefault(); // otherwise the browser opens the file in place of the page
      take(event.dataTransfer, actions);
    });
  }

  /**
   * Whether a file, or a text outside of a text field, is dragged.
   * @param {DragEvent} event
   */
  function isForeign(event) {
    const types = event.dataTransfer?.types || [];
    return types.includes("Files") || (types.includes("text/plain") && !isTyping(event));
  }

  /**
   * Reads the first file, or else the text; a text from an office program comes with its picture. Returns whether there is one.
   * A picture alone cannot be read.
   * @param {DataTransfer} given
   * @param {DropActions} actions
   */
  function take(given, { readText, readFile, refusePicture }) {
    const file = [...given.files].find(({ type }) => !type.startsWith("image/"));
    const text = given.getData("text/plain");
    if (file) readFile(file);
    else if (text.trim()) readText(text);
    else if (given.files.length) refusePicture();
    else return false;
    return true;
  }

  return { connect };
})();
