// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a page copies to the clipboard.
"use strict";

const TsumeClipboard = (function () {
  const { find } = TsumeDom;

  /**
   * Copies a text. Returns whether it could be copied; otherwise `field` shows it, to be copied by hand.
   * @param {string | Promise<string>} copied
   * @param {HTMLElement} field
   */
  async function copy(copied, field) {
    try {
      await write(copied);
      field.hidden = true;
      return true;
    } catch {
      const shown = await copied; // throws if the text itself cannot be had
      const area = find(field, "textarea", HTMLTextAreaElement);
      field.hidden = false;
      area.value = shown;
      area.focus();
      area.select();
      return false;
    }
  }

  // Safari lets a page write only during a click: a text that is still loading is promised to the clipboard.
  /** @param {string | Promise<string>} copied */
  async function write(copied) {
    const { clipboard } = navigator;
    if (typeof copied === "string" || !("ClipboardItem" in window)) return clipboard.writeText(await copied);
    const content = copied.then((loaded) => new Blob([loaded], { type: "text/plain" }));
    return clipboard.write([new ClipboardItem({ "text/plain": content })]);
  }

  return { copy };
})();
