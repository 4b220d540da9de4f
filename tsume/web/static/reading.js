// Problems that a person pastes, drops or types: SFEN and addresses are read here, everything else by the server.
"use strict";

/**
 * @typedef {ReadSfen & {title: string, author: string, comment: string, more: boolean}} ReadProblem
 *   more: the text has other problems, too
 */

const TsumeReading = (function () {
  const { readSfen } = TsumeSfen;
  const { RequestError } = TsumeErrors;
  const MAX_FILE = 44_000; // bytes, which the server accepts in base64

  /**
   * Raises RequestError for a text that cannot be read.
   * @param {string} text
   * @param {AbortSignal} signal
   * @returns {Promise<ReadProblem>}
   */
  async function readText(text, signal) {
    const found = readSfen(text) || readSfen(TsumeAddressText.sfenOf(text) || "");
    return found ? { ...found, title: "", author: "", comment: "", more: false } : readByServer({ text }, signal);
  }

  /**
   * @param {File} file in any encoding
   * @param {AbortSignal} signal
   */
  async function readFile(file, signal) {
    if (file.size > MAX_FILE) throw new RequestError("compose.file_too_large");
    if (!window.TsumeComposeServer) return readText(await file.text(), signal);
    return readByServer({ data: base64(new Uint8Array(await file.arrayBuffer())) }, signal);
  }

  /**
   * @param {{text: string} | {data: string}} given
   * @param {AbortSignal} signal
   * @returns {Promise<ReadProblem>}
   */
  async function readByServer(given, signal) {
    if (!window.TsumeComposeServer) throw new RequestError("compose.only_sfen");
    const { sfen, line, ...texts } = await window.TsumeComposeServer.read(given, signal);
    return { .../** @type {ReadSfen} */ (readSfen(`${sfen} moves ${line.join(" ")}`)), ...texts };
  }

  /** @param {Uint8Array} bytes */
  function base64(bytes) {
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }

  return { readText, readFile };
})();
