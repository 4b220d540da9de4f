// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses of web pages that hold a position, as tsume/formats/addresses.py reads them. Nothing is loaded.
"use strict";

const TsumeAddressText = (function () {
  const LISHOGI = /^(?:www\.)?lishogi\.org$/i;
  const WITH_SFEN = /^\/(?:editor|analysis)\/(?:standard\/)?(.+)$/; // an SFEN with underscores for its spaces

  /**
   * The position of an address as an SFEN with its moves, unchecked; null if the text is no address with a position.
   * @param {string} text
   */
  function sfenOf(text) {
    if (!/^\s*(?:https?|file):\/\/\S+\s*$/i.test(text)) return null;
    try {
      const { hostname, pathname, searchParams } = new URL(text.trim());
      const [, found = null] = LISHOGI.test(hostname) ? WITH_SFEN.exec(decodeURIComponent(pathname)) || [] : [];
      if (found) return found.replaceAll("_", " ");
      const [sfen, moves] = [searchParams.get("sfen"), searchParams.get("line")];
      return sfen && moves ? `${sfen} moves ${moves}` : sfen;
    } catch {
      return null; // an address that is none
    }
  }

  return { sfenOf };
})();
