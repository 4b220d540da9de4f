// SPDX-License-Identifier: GPL-3.0-or-later
// The findings of a judgement as list items: each says what is wrong or notable, and can step through its line.
"use strict";

/** @typedef {"fault" | "blemish" | "note" | "main"} Weight */
/**
 * @typedef {{
 *   step: (line: string[], title: string, turn?: number | null) => void, take: (sfen: string) => void, forget: () => void,
 * }} FindingActions step shows a line from its move number `turn` on, take puts a position on the board, forget drops the
 *   intended solution
 */

const TsumeFindings = (function () {
  const { say, localized } = TsumePhrases;
  const { make, button } = TsumeDom;
  const OTHER_LENGTHS = ["EARLY_MATE", "WRONG_LENGTH"];
  /** @type {Record<Weight, string>} */
  const SIGNS = { fault: "✕", blemish: "△", note: "・", main: "▶" };

  /** @param {Judgement} judgement @param {FindingActions} actions */
  function items(judgement, actions) {
    return [
      ...intendedItems(judgement, actions),
      ...lengthItems(judgement),
      ...judgement.findings.map((finding) => findingItem(finding, judgement, actions)),
    ];
  }

  /** @param {Judgement} judgement @param {FindingActions} actions */
  function intendedItems(judgement, { step, forget }) {
    const { given } = judgement;
    if (!given) return [];
    const title = say("compose.intended");
    const text = localized(given.text) || say("compose.intended_best");
    const made = item(title, given.reading ? "main" : "note", text, () => step(given.line, title, given.wrong_at || undefined));
    made.append(button(say("compose.not_intended"), forget));
    return [made];
  }

  // The fault that an intended solution of another length is; the solver's findings show only those of given lengths.
  /** @param {Judgement} judgement */
  function lengthItems({ faults, findings, length, given }) {
    const name = faults.find((fault) => OTHER_LENGTHS.includes(fault));
    if (!name || !given || findings.some(({ defect }) => OTHER_LENGTHS.includes(defect || ""))) return [];
    return [item(say(`terms.${name}`), "fault", say("compose.other_length", { intended: given.line.length, length: length || 0 }))];
  }

  /** @param {Finding} finding @param {Judgement} judgement @param {FindingActions} actions */
  function findingItem(finding, { faults }, { step, take }) {
    const name = finding.defect || finding.remark || "";
    const kind = name === "COOK" && finding.class && finding.class !== "true" ? finding.class : null;
    const term = say(kind === "leftover" ? "compose.cook_leftover" : kind ? `classes.${kind}` : `terms.${name}`);
    const text = localized(finding.text);
    const line = finding.line.split(" ").filter(Boolean);
    const act = line.length ? () => step(line, `${term}: ${text}`, finding.turn) : null;
    const made = item(term, weightOf(name, faults), text, act);
    const { smaller } = finding;
    if (smaller) {
      const label = say("compose.take_smaller");
      made.append(button(label, () => take(smaller), { "aria-label": `${label}: ${text}` }));
    }
    return made;
  }

  /** @param {string} name @param {string[]} faults @returns {Weight} */
  function weightOf(name, faults) {
    if (faults.includes(name) || (name === "WRONG_LENGTH" && faults.length)) return "fault";
    return name === "LAST_MOVE_ALTERNATIVES" ? "note" : "blemish";
  }

  /** @param {string} term @param {Weight} weight @param {string} text @param {(() => void) | null} [act] */
  function item(term, weight, text, act = null) {
    const label = weight === "main" ? "" : say(`compose.is_${weight}`);
    const content = act ? button("", act) : make("div");
    content.append(
      make("span", { class: "tc-sign", title: label }, SIGNS[weight]),
      ...(label ? [make("span", { class: "tc-weight" }, label)] : []),
      make("strong", {}, term), make("span", { class: "tc-text" }, text));
    return make("li", { class: `tc-${weight}` }, content);
  }

  return { items, findingItem };
})();
