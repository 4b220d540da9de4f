// SPDX-License-Identifier: GPL-3.0-or-later
// Runs classic scripts of the pages without a browser, as if a page had loaded them in this order.
import { readFileSync } from "node:fs";

const STATIC = new URL("../../tsume/web/static/", import.meta.url);
const NAMES = "歩香桂銀金角飛玉";
const KINDS = "PLNSGBRK";

// Pieces as the program names them; the outlines are left out.
const TSUME_PIECES = Object.fromEntries(
  [...KINDS].map((kind, index) => [kind, { name: { ja: NAMES[index], en: kind } }]).concat(
    Object.entries({ "+P": "と", "+L": "成香", "+N": "成桂", "+S": "成銀", "+B": "馬", "+R": "龍" })
      .map(([kind, ja]) => [kind, { name: { ja, en: kind } }])),
);

// Every phrase reads as its name and the values of its parts: "compose.dead 3a P".
const ANY_PHRASE = new Proxy({}, {
  get: (_, name) => ({ replace: (_pattern, fill) => describe(name, fill) }),
});

function describe(name, fill) {
  const given = (part) => {
    try {
      return [fill("", part)];
    } catch {
      return []; // it is not among the parts
    }
  };
  return [name, ...["side", "square", "squares", "piece", "count"].flatMap(given)].join(" ");
}

class Storage {
  constructor() {
    this.texts = new Map();
  }

  getItem(key) {
    return this.texts.get(key) ?? null;
  }

  setItem(key, text) {
    this.texts.set(key, text);
  }

  removeItem(key) {
    this.texts.delete(key);
  }
}

/** The global names that some scripts define: load(["position", "sfen"], ["TsumeSfen"]).TsumeSfen. */
export function load(scripts, names, { language = "en", ...globals } = {}) {
  const given = {
    document: { documentElement: { lang: language } },
    localStorage: new Storage(),
    TSUME_PIECES,
    TSUME_WORDS: { ja: ANY_PHRASE, en: ANY_PHRASE },
    ...globals,
  };
  const sources = scripts.map((script) => readFileSync(new URL(`${script}.js`, STATIC), "utf8"));
  const code = `${sources.join("\n")}\nreturn { ${names.join(", ")} };`;
  return new Function(...Object.keys(given), code)(...Object.values(given));
}

export const RULES = ["phrases", "position", "notation", "arrangement", "sfen", "legality"];
