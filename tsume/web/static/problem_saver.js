// SPDX-License-Identifier: GPL-3.0-or-later
// Saves problems in the store, and says what came of it.
"use strict";

/** @typedef {Record<string, string | undefined>} SavedFields sfen, line and the texts of a problem; empty ones are left out */

const TsumeProblemSaver = (function () {
  const { language, say, localized } = TsumePhrases;
  const { make, button } = TsumeDom;
  const { post, json } = TsumeRequests;
  const { RequestError } = TsumeErrors;
  const FIELDS = ["title", "author", "comment"];

  /**
   * Saves a problem. Returns an element that says so, with a link to the problem, or why not. Where the store has
   * other texts of it, it shows them and can replace them.
   * @param {SavedFields} problem
   * @param {boolean} [replace]
   * @returns {Promise<HTMLElement>}
   */
  async function saveProblem(problem, replace = false) {
    const given = Object.fromEntries(Object.entries(problem).filter(([, value]) => value));
    try {
      const saved = await json(await post("/api/problems", replace ? { ...given, replace } : given));
      const phrase = saved.replaced ? "compose.texts_replaced" : saved.known ? "compose.known" : "compose.saved";
      const link = make("a", { href: `/problems/${saved.id}?lang=${language}` }, say("web.number", { id: saved.id }));
      const offer = saved.replaced ? [] : offerToReplace(problem, saved.differing || {});
      return answer("", say(phrase), " ", link, ...offer);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { judgement } = error.answer;
      const reason = judgement ? reasonIn(judgement) : error.message;
      return answer("tc-refused", say("compose.not_saved", { reason }));
    }
  }

  /**
   * @param {SavedFields} problem
   * @param {Record<string, string>} differing what the store has in place of the given texts
   */
  function offerToReplace(problem, differing) {
    const names = FIELDS.filter((name) => name in differing);
    if (!names.length) return [];
    const items = names.map((name) => make("li", {}, say(differing[name] ? "compose.stored_text" : "compose.no_stored_text", {
      name: say(`compose.${name === "title" ? "name" : name}`), text: differing[name],
    })));
    const replacing = button(say("compose.replace_texts"), async () => {
      const said = await saveProblem(problem, true);
      const place = replacing.closest(".tc-answer") || replacing;
      place.replaceWith(said);
      said.focus({ preventScroll: true });
    });
    return [make("p", {}, say("compose.other_texts")), make("ul", {}, ...items), replacing];
  }

  /** @param {string} name @param {...(Node | string)} content */
  function answer(name, ...content) {
    return make("div", { class: `tc-answer ${name}`, tabindex: -1 }, ...content);
  }

  // The headline and, if the problem is unsound, its first fault.
  /** @param {Judgement} judgement */
  function reasonIn({ headline, grade, texts }) {
    const faults = grade === "unsound" && texts ? texts[language].slice(1, 2) : [];
    return [localized(headline), ...faults].join(" — ");
  }

  return { saveProblem };
})();
