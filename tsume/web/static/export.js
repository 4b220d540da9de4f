// SPDX-License-Identifier: GPL-3.0-or-later
// A position as a game record or a diagram, by the server or else by the solver in the browser.
"use strict";

const TsumeExport = (function () {
  const { language } = TsumePhrases;
  const { make, download } = TsumeDom;
  const { RequestError } = TsumeErrors;
  const PICTURE_SCALE = 3; // pixels for each unit of the diagram

  /**
   * A position and its line in KIF.
   * @param {string} sfen
   * @param {string[]} line
   * @param {RecordTexts} texts
   * @returns {Promise<string>}
   */
  async function kif(sfen, line, texts) {
    if (window.TsumeComposeServer) return window.TsumeComposeServer.kif(sfen, line, texts);
    return (await TsumeLocalSolver.ask("kif", { sfen, line, ...texts })).text;
  }

  /**
   * The diagram of a position, as SVG.
   * @param {string} sfen
   * @returns {Promise<string>}
   */
  async function diagram(sfen) {
    if (window.TsumeComposeServer) return window.TsumeComposeServer.diagram(sfen);
    return (await TsumeLocalSolver.ask("diagram", { sfen, language })).text;
  }

  // These save a picture and return the name of its file.

  /** @param {string} sfen */
  async function saveSvg(sfen) {
    download(new Blob([await diagram(sfen)], { type: "image/svg+xml" }), "tsume.svg");
    return "tsume.svg";
  }

  // An address of the diagram.
  /** @param {string} sfen */
  async function pictureAddress(sfen) {
    const server = window.TsumeComposeServer;
    return server ? server.diagramAddress(sfen) : `data:image/svg+xml,${encodeURIComponent(await diagram(sfen))}`;
  }

  /** @param {string} sfen */
  async function savePng(sfen) {
    const image = new Image();
    image.src = await pictureAddress(sfen);
    try {
      await image.decode();
    } catch {
      await diagram(sfen); // throws the server's own message, if it has one
      throw new RequestError("web.failed");
    }
    const canvas = make("canvas", { width: image.naturalWidth * PICTURE_SCALE, height: image.naturalHeight * PICTURE_SCALE });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((picture) => picture && download(picture, "tsume.png"), "image/png");
    return "tsume.png";
  }

  return { kif, saveSvg, savePng, pictureAddress };
})();
