// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of tsume-shogi that occur in a part of a page, with their definitions.
"use strict";

const TsumeGlossary = (function () {
  const { say } = TsumePhrases;
  const { make } = TsumeDom;
  const AREA = "glossary.";
  // a site may have one language only
  const FORMS = Object.values(TSUME_WORDS).flatMap((words) => Object.keys(words)
    .filter((name) => name.startsWith(AREA)).map((name) => ({ name: name.slice(AREA.length), form: words[name] })))
    .sort((one, other) => other.form.length - one.form.length);
  // the longest form counts: 変同余詰 is neither 変同 nor 余詰
  const PATTERN = new RegExp(FORMS.map(({ form }) => `(${/\w/.test(form) ? `\\b${form}(?:e?s)?\\b` : form})`).join("|"), "gi");

  // The names of the terms in some elements, in Japanese or English, in the order in which they appear.
  /** @param {HTMLElement[]} elements */
  function termsIn(elements) {
    const found = [...elements.flatMap(texts).join("\n").matchAll(PATTERN)].map((match) => FORMS[match.slice(1).findIndex((group) => group !== undefined)].name);
    return [...new Set(found)];
  }

  /**
   * The texts of an element, each for itself: those of two items are no word.
   * @param {Node} node
   * @returns {string[]}
   */
  function texts(node) {
    return node.hasChildNodes() ? [...node.childNodes].flatMap(texts) : [node.nodeValue || ""];
  }

  /** @param {string} name */
  function term(name) {
    return say(`glossary.${name}`);
  }

  // The items of a definition list.
  /** @param {string[]} names */
  function definitions(names) {
    return names.flatMap((name) => [make("dt", {}, make("dfn", {}, term(name))), make("dd", {}, say(`definitions.${name}`))]);
  }

  // The heading of the definitions of some terms.
  /** @param {string[]} names */
  function heading(names) {
    return say("web.terms", { terms: names.map(term).join(say("web.and")) });
  }

  return { termsIn, heading, definitions };
})();
