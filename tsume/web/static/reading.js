// SPDX-License-Identifier: GPL-3.0-or-later
// Problems that a person pastes, drops or types: SFEN is read here, everything else by the server, or else by the
// solver in the browser.
"use strict";

/**
 * @typedef {ReadSfen & {title: string, author: string, comment: string, more: boolean}} ReadProblem
 *   more: the text has other problems, too
 */

const TsumeReading = (function () {
  const { readSfen } = TsumeSfen;
  const { RequestError, PHRASES } = TsumeErrors;
  const GAME = "tsume.game"; // the key in local storage
  const USI = /^\s*position\s/;
  const MAX_FILE = 1_000_000; // bytes
  const MAX_FILE_OF_SERVER = 44_000; // which it accepts in base64

  /**
   * Raises RequestError for a text that cannot be read.
   * @param {string} text
   * @param {AbortSignal} signal
   * @returns {Promise<ReadProblem>}
   */
  async function readText(text, signal) {
    const found = USI.test(text) ? null : readSfen(text); // of a game it is the last position
    return found ? { ...found, title: "", author: "", comment: "", more: false } : readOther({ text }, signal);
  }

  /**
   * @param {File} file in any encoding
   * @param {AbortSignal} signal
   */
  async function readFile(file, signal) {
    if (file.size > (window.TsumeComposeServer ? MAX_FILE_OF_SERVER : MAX_FILE)) throw new RequestError("compose.file_too_large");
    if (!window.TsumeComposeServer) return readText(await textOf(file), signal);
    return readOther({ data: base64(new Uint8Array(await file.arrayBuffer())) }, signal);
  }

  /** @param {string | File} given */
  async function textOf(given) {
    return typeof given === "string" ? given : decoded(new Uint8Array(await given.arrayBuffer()));
  }

  /** @param {{text: string} | {data: string}} given @param {AbortSignal} signal @returns {Promise<ReadProblem>} */
  async function readOther(given, signal) {
    const server = window.TsumeComposeServer;
    const { sfen, line, ...texts } = await (server ? server.read(given, signal) : readAlone(given, signal));
    return { .../** @type {ReadSfen} */ (readSfen(`${sfen} moves ${line.join(" ")}`)), ...texts };
  }

  /** @param {object} given @param {AbortSignal} signal */
  async function readAlone(given, signal) {
    const found = await TsumeLocalSolver.ask("reading", given, { signal });
    if (!found.error) return found;
    throw new RequestError(PHRASES[found.code] || null, PHRASES[found.code] ? {} : { message: found.error });
  }

  // The server tells the encodings of Japanese apart more carefully.
  /** @param {Uint8Array} bytes */
  function decoded(bytes) {
    const isMarked = (/** @type {number[]} */ ...mark) => mark.every((byte, i) => bytes[i] === byte);
    const wide = isMarked(0xff, 0xfe) ? ["utf-16le"] : isMarked(0xfe, 0xff) ? ["utf-16be"] : [];
    for (const encoding of [...wide, "utf-8", "shift_jis", "euc-jp"]) {
      try {
        return new TextDecoder(encoding, { fatal: true }).decode(bytes);
      } catch {} // eslint-disable-line no-empty
    }
    throw new RequestError("compose.unknown_text");
  }

  /** @param {Uint8Array} bytes */
  function base64(bytes) {
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }

  // The text of a game that the page to compose on gives to the page of games.
  /** @param {string} text */
  function hand(text) {
    TsumeStorage.remember(GAME, text);
  }

  function taken() {
    const text = TsumeStorage.remembered(GAME) || "";
    TsumeStorage.forget(GAME);
    return text;
  }

  return { readText, readFile, textOf, hand, taken };
})();
