// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./scripts.mjs";

const WORDS = {
  ja: {
    "glossary.COOK": "余詰", "glossary.EQUAL": "変同", "glossary.EQUAL_COOK": "変同余詰", "glossary.TRY": "紛れ",
    "definitions.COOK": "別の詰み。",
  },
  en: {
    "glossary.COOK": "cook", "glossary.EQUAL": "equal defence", "glossary.EQUAL_COOK": "cook in equal defence",
    "glossary.TRY": "try",
  },
};
const { TsumeGlossary } = load(["phrases", "dom", "glossary"], ["TsumeGlossary"], { TSUME_WORDS: WORDS });

/** An element with a text in each of its children. */
function element(...texts) {
  return { hasChildNodes: () => true, childNodes: texts.map((nodeValue) => ({ nodeValue, hasChildNodes: () => false })) };
}

const found = (...texts) => TsumeGlossary.termsIn([element(...texts)]);

test("the terms of a text, each once, in the order of the text", () => {
  assert.deepEqual(found("紛れと余詰、余詰"), ["TRY", "COOK"]);
  assert.deepEqual(found("A cook, two Cooks and tries"), ["COOK"]);
});

test("the longest term counts", () => {
  assert.deepEqual(found("変同余詰"), ["EQUAL_COOK"]);
  assert.deepEqual(found("変同と余詰"), ["EQUAL", "COOK"]);
  assert.deepEqual(found("a cook in equal defence"), ["EQUAL_COOK"]);
});

test("an English term is a word of its own", () => {
  assert.deepEqual(found("cooking, trying"), []);
  assert.deepEqual(found("cook", "try"), ["COOK", "TRY"]);
});
