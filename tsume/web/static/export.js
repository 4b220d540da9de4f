// Copies of a position outside the page: texts in the clipboard, pictures in files.
"use strict";

const TsumeExport = (function () {
  const { language } = TsumePhrases;
  const { make, find, download } = TsumeDom;
  const { get, text, RequestError } = TsumeRequests;
  const PICTURE_SCALE = 3; // pixels for each unit of the diagram

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

  /**
   * Safari lets a page write only during a click: a text that is still loading is promised to the clipboard.
   * @param {string | Promise<string>} copied
   */
  async function write(copied) {
    const { clipboard } = navigator;
    if (typeof copied === "string" || !("ClipboardItem" in window)) return clipboard.writeText(await copied);
    const content = copied.then((loaded) => new Blob([loaded], { type: "text/plain" }));
    return clipboard.write([new ClipboardItem({ "text/plain": content })]);
  }

  /**
   * A position and its line in KIF.
   * @param {string} sfen
   * @param {string[]} line
   */
  async function kif(sfen, line) {
    return text(await get(`/api/record?${new URLSearchParams({ sfen, line: line.join(" "), format: "kif" })}`));
  }

  /** @param {string} sfen */
  function diagramAddress(sfen) {
    return `/api/diagram.svg?${new URLSearchParams({ sfen, lang: language })}`;
  }

  /** @param {string} sfen */
  async function saveSvg(sfen) {
    const response = await get(diagramAddress(sfen));
    download(new Blob([await text(response)], { type: "image/svg+xml" }), "tsume.svg");
  }

  /** @param {string} sfen */
  async function savePng(sfen) {
    const image = new Image();
    image.src = diagramAddress(sfen);
    try {
      await image.decode();
    } catch {
      await get(image.src); // throws the server's own message, if it has one
      throw new RequestError("web.failed");
    }
    const canvas = make("canvas", { width: image.naturalWidth * PICTURE_SCALE, height: image.naturalHeight * PICTURE_SCALE });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((picture) => picture && download(picture, "tsume.png"), "image/png");
  }

  return { copy, kif, diagramAddress, saveSvg, savePng };
})();
