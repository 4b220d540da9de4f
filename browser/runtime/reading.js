// SPDX-License-Identifier: GPL-3.0-or-later
// What reads texts in place of modules of the standard library: JSON, CSV, addresses, categories of characters.
"use strict";

/** @param {string} character */
function $is_unprintable(character) {
  return /^[\p{C}\p{Zl}\p{Zp}]$/u.test(character);
}

/** @param {string} text @returns {Value} */
function $json_value(text) {
  try {
    return $from_plain(JSON.parse(text));
  } catch (error) {
    throw new $ValueError(error instanceof SyntaxError ? error.message : "nested too deep");
  }
}

/** JSON with a space after each comma and colon. @param {Value} x @returns {string} */
function $json_excerpt(x) {
  if (Array.isArray(x)) return `[${x.map($json_excerpt).join(", ")}]`;
  if (!(x instanceof $Dict)) return JSON.stringify(x);
  return `{${[...x.items()].map(([key, value]) => `${JSON.stringify(key)}: ${$json_excerpt(value)}`).join(", ")}}`;
}

/**
 * The rows of a table as Python's csv.reader reads them, each with the number of its last line. A quote opens a cell only
 * at its beginning.
 * @param {string} text
 * @returns {Generator<[number, string[]]>}
 */
function* $csv_rows(text) {
  const BEGIN = 0, PLAIN = 1, QUOTED = 2, CLOSED = 3;
  /** @type {string[]} */
  let row = [];
  let cell = "", state = BEGIN, line = 0;
  for (const [, content, ending] of text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)) {
    if (!content && !ending) break; // the end of the text
    line += 1;
    for (const c of content) {
      if (c === '"' && state === BEGIN) state = QUOTED;
      else if (c === '"' && state === QUOTED) state = CLOSED;
      else if (c === "," && state !== QUOTED) {
        row.push(cell);
        [cell, state] = ["", BEGIN];
      } else {
        cell += c;
        state = state === QUOTED || (state === CLOSED && c === '"') ? QUOTED : PLAIN;
      }
    }
    if (state === QUOTED) {
      cell += ending;
      continue;
    }
    yield [line, content || row.length || cell ? [...row, cell] : []];
    [row, cell, state] = [[], "", BEGIN];
  }
  if (state === QUOTED) yield [line, [...row, cell]];
}

const $UTF_8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** As Python's unquote: what is no UTF-8 is replaced. @param {string} text */
function $unquoted(text) {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    $UTF_8.decode(Uint8Array.from(bytes.slice(1).split("%"), (byte) => Number.parseInt(byte, 16))));
}
