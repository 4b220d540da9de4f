// SPDX-License-Identifier: GPL-3.0-or-later
// The phrases of a page in its language. words.js holds the texts; the program generates it from its catalogue.
"use strict";

const TsumePhrases = (function () {
  const language = /** @type {Language} */ (document.documentElement.lang);

  /**
   * A phrase with its placeholders filled in. Throws for an unknown name or a missing part, as `phrase` of the catalogue.
   * @param {string} name
   * @param {Record<string, string | number>} [parts]
   */
  function say(name, parts = {}) {
    return TSUME_WORDS[language][name].replace(/\{(\w+)\}/g, (_, part) => {
      if (parts[part] === undefined) throw new TypeError(`the phrase ${name} lacks its part ${part}`);
      return String(parts[part]);
    });
  }

  // A text of the server in the page's language; some texts are the same in all languages.
  /** @param {Localized | string | null | undefined} text */
  function localized(text) {
    return text && typeof text === "object" ? plain(text[language]) : String(text);
  }

  // A text of the server without what only the command line has in English: Japanese terms, and defects in capitals.
  /** @param {string} text */
  function plain(text) {
    if (language !== "en") return text;
    return text.replace(/\b[A-Z][A-Z_]+(?= \([ぁ-鿿])/g, (name) => name.replaceAll("_", " ").toLowerCase())
      .replace(/ \([ぁ-鿿・]+\)|,? [ぁ-鿿・]+(?=\))|[ぁ-鿿・]+: /g, "");
  }

  /** @param {string} text */
  function sentence(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  // A time as m:ss.
  /** @param {number} seconds */
  function clock(seconds) {
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  // The difficulty as an element.
  /** @param {number} stars */
  function starsOf(stars) {
    const attributes = { class: "stars", role: "img", "aria-label": say("web.stars", { stars }) };
    return TsumeDom.make("span", attributes, "★".repeat(stars) + "☆".repeat(5 - stars));
  }

  return { language, say, localized, plain, sentence, clock, starsOf };
})();
