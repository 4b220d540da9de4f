// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences that the page shows of an explanation, for each question a JSON line with a list of them.
import { createInterface } from "node:readline";
import { load, RULES } from "./scripts.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(sentences(JSON.parse(line))));
}

function sentences({ words, language, judgement, turns }) {
  const texts = [];
  const append = (...children) => texts.push(...children.filter((child) => typeof child === "string"));
  const TsumeDom = {
    make: (_name, _attributes, ...children) => {
      append(...children);
      return { append };
    },
    button: (text) => {
      append(text);
      return { append };
    },
  };
  const window = {};
  new Function("window", `${words[0]}; const { TSUME_WORDS } = window; ${words[1]}`)(window);
  const { TsumeExplainedTurns } = load([...RULES, "move_line", "findings", "explained_turns"], ["TsumeExplainedTurns"], {
    language, TsumeDom, TSUME_WORDS: window.TSUME_WORDS,
  });
  new TsumeExplainedTurns(judgement.sfen, judgement, {}).items(turns);
  return texts;
}
