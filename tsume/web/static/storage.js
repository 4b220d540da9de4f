// SPDX-License-Identifier: GPL-3.0-or-later
// Local storage that may be forbidden or full: then nothing is remembered.
"use strict";

const TsumeStorage = (function () {
  /** @param {string} key @param {string} text */
  function remember(key, text) {
    try {
      localStorage.setItem(key, text);
    } catch { /* the page works without it */ }
  }

  // The stored text, or null.
  /** @param {string} key */
  function remembered(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  // What was stored as JSON; null if there is nothing, or a text that is no JSON.
  /** @param {string} key */
  function rememberedJson(key) {
    try {
      return JSON.parse(remembered(key) || "null");
    } catch {
      return null;
    }
  }

  /** @param {string} key */
  function forget(key) {
    try {
      localStorage.removeItem(key);
    } catch { /* nothing was stored */ }
  }

  return { remember, remembered, rememberedJson, forget };
})();
