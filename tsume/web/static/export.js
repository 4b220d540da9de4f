// What the server writes of a position: a game record, diagrams as files.
"use strict";

const TsumeExport = (function () {
  const { language } = TsumePhrases;
  const { make, download } = TsumeDom;
  const { get, text } = TsumeRequests;
  const { RequestError } = TsumeErrors;
  const PICTURE_SCALE = 3; // pixels for each unit of the diagram

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

  return { kif, diagramAddress, saveSvg, savePng };
})();
