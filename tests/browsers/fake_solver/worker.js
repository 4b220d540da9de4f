// SPDX-License-Identifier: GPL-3.0-or-later
// Answers from a table, as the worker of the solver does, or "never"; TABLE stands before this script.
"use strict";

const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

// As far as the page's policy allows it. In WebKit a promise of WebAssembly may never settle in a worker that is idle.
new WebAssembly.Instance(new WebAssembly.Module(EMPTY_MODULE));
postMessage({ ready: true });

let isStuck = false; // in a search that does not end

onmessage = ({ data: { id, kind, fields } }) => {
  if (isStuck) return;
  const key = [kind, fields.text ?? fields.sfen, (fields.moves || fields.line || []).join(",")].join(" ");
  const answer = TABLE[key];
  isStuck = answer === "never";
  if (!isStuck) postMessage(answer ? { id, answer } : { id, error: { name: "Error", message: `not in the table: ${key}` } });
};
