// Problems that a person pastes, drops or types: SFEN is read here, game records and addresses by the server.
"use strict";

/**
 * @typedef {ReadSfen & {title: string, author: string, comment: string, more: boolean}} ReadProblem
 *   more: the text has other problems, too
 */

const TsumeReading = (function () {
  const { readSfen } = TsumeSfen;
  const { post, json, RequestError } = TsumeRequests;
  const MAX_FILE = 44_000; // bytes, which the server accepts in base64

  /**
   * Raises RequestError for a text that cannot be read.
   * @param {string} text
   * @param {AbortSignal} signal
   * @returns {Promise<ReadProblem>}
   */
  async function readText(text, signal) {
    const found = readSfen(text);
    return found ? { ...found, title: "", author: "", comment: "", more: false } : readByServer({ text }, signal);
  }

  /**
   * @param {File} file in any encoding
   * @param {AbortSignal} signal
   */
  async function readFile(file, signal) {
    if (file.size > MAX_FILE) throw new RequestError("compose.file_too_large");
    return readByServer({ data: base64(new Uint8Array(await file.arrayBuffer())) }, signal);
  }

  /**
   * @param {{text: string} | {data: string}} given
   * @param {AbortSignal} signal
   * @returns {Promise<ReadProblem>}
   */
  async function readByServer(given, signal) {
    const { sfen, line, ...texts } = await json(await post("/api/reading", given, { signal }));
    return { .../** @type {ReadSfen} */ (readSfen(`${sfen} moves ${line.join(" ")}`)), ...texts };
  }

  /** @param {Uint8Array} bytes */
  function base64(bytes) {
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }

  return { readText, readFile };
})();
