// SPDX-License-Identifier: GPL-3.0-or-later
// How the board looks, moves and sounds: chosen by the user, remembered in this browser, the same on all pages.
"use strict";

/** @typedef {"board" | "pieces" | "destinations" | "movement" | "sound"} Setting */

const TsumeSettings = (function () {
  const { remember, remembered } = TsumeStorage;
  /** @type {Record<Setting, {key: string, choices: string[]}>} */
  const SETTINGS = { // by name the key in local storage, and the choices, of which the first is the default
    board: { key: "tsume.board", choices: ["wood", "paper", "slate"] },
    pieces: { key: "tsume.signs", choices: ["kanji", "two-kanji", "letters", "moves"] }, // the key of older versions
    destinations: { key: "tsume.destinations", choices: ["on", "off"] },
    movement: { key: "tsume.movement", choices: ["on", "off"] },
    sound: { key: "tsume.sound", choices: ["off", "on"] },
  };
  const NAMES = /** @type {Setting[]} */ (Object.keys(SETTINGS));
  const values = /** @type {Record<Setting, string>} */ (Object.fromEntries(NAMES.map((name) => [name, stored(name)])));
  const changes = new EventTarget();
  /** @type {(Promise<unknown> | null)[]} */
  let [loading, sounds] = [null, null]; // all sets of pieces, and the sounds, once they are wanted

  /** @param {Setting} name */
  function stored(name) {
    const setting = SETTINGS[name];
    return setting.choices.find((one) => one === remembered(setting.key)) || setting.choices[0];
  }

  // Style sheets know the board by an attribute of the page.
  function showBoard() {
    document.documentElement.dataset.board = values.board;
  }

  /** @param {Setting} name */
  function get(name) {
    return values[name];
  }

  // The set of pieces, by its name in TSUME_PIECES; while one is loaded, the default one.
  function pieces() {
    if (values.pieces in TSUME_PIECES.K) return /** @type {PieceSet} */ (values.pieces);
    loading ||= added("piece_sets.js").then(tell, () => {});
    return /** @type {PieceSet} */ (SETTINGS.pieces.choices[0]);
  }

  /** @param {string} name of a script that stands beside those of the page */
  function added(name) {
    const { src } = TsumeDom.find(document, 'script[src*="/pieces.js"]', HTMLScriptElement);
    return TsumeDom.addScript(src.replace("/pieces.js", `/${name}`));
  }

  /** @param {Sound} name plays if the user wants sounds, which are loaded then */
  function play(name) {
    if (values.sound !== "on") return;
    sounds ||= added("sound.js");
    sounds.then(() => TsumeSound.play(name), () => {});
  }

  /** @param {Setting} name */
  function choices(name) {
    return SETTINGS[name].choices;
  }

  /** @param {Setting} name @param {string} value */
  function set(name, value) {
    values[name] = value;
    remember(SETTINGS[name].key, value);
    showBoard();
    tell();
    if (name === "sound") play("move"); // the user hears at once what was switched on
  }

  function tell() {
    changes.dispatchEvent(new Event("change"));
  }

  /** @param {Setting} name */
  function isChosen(name) {
    return remembered(SETTINGS[name].key) !== null;
  }

  /**
   * Calls `act` after each change, until `signal`.
   * @param {() => void} act
   * @param {AbortSignal} [signal]
   */
  function listen(act, signal) {
    changes.addEventListener("change", act, { signal });
  }

  showBoard();
  return { get, pieces, choices, set, isChosen, listen, play };
})();
