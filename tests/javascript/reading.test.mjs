// SPDX-License-Identifier: GPL-3.0-or-later
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, RULES } from "./scripts.mjs";

const SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b r2b3g3s4n4l18p 1";

function reading(server, solver) {
  return load([...RULES, "errors", "reading"], ["TsumeReading"], {
    window: { TsumeComposeServer: server }, TsumeLocalSolver: solver, TextDecoder,
  });
}

async function readSfen(text) {
  const { position, moves } = await reading().TsumeReading.readText(text);
  assert.equal(position.squares.size, 3);
  return moves;
}

test("an SFEN is read without a server", async () => {
  assert.deepEqual(await readSfen(SFEN), []);
  assert.deepEqual(await readSfen(`sfen ${SFEN} moves 3d2c 1b1a`), ["3d2c", "1b1a"]);
});

test("everything else is read by the server, if there is one", async () => {
  const given = [];
  const server = { read: async (text) => { given.push(text); return { sfen: SFEN, line: ["3d2c"], title: "T" }; } };
  const texts = ["手合割：平手", `position sfen ${SFEN} moves 3d2c`, `https://example.org/?sfen=${SFEN}`];
  for (const text of texts) {
    const found = await reading(server).TsumeReading.readText(text);
    assert.deepEqual([found.moves, found.title], [["3d2c"], "T"]);
  }
  assert.deepEqual(given, texts.map((text) => ({ text })));
});

test("without a server it is read by the solver in the browser", async () => {
  const given = [];
  const solver = { ask: async (kind, fields) => { given.push([kind, fields]); return { sfen: SFEN, line: ["3d2c"], title: "T" }; } };
  const found = await reading(undefined, solver).TsumeReading.readText("手合割：平手");
  assert.deepEqual(given, [["reading", { text: "手合割：平手" }]]);
  assert.deepEqual([found.moves, found.title], [["3d2c"], "T"]);
});

test("what the solver cannot read is told as the server tells it", async () => {
  const { readText } = reading(undefined, { ask: async (_kind, { text }) => JSON.parse(text) }).TsumeReading;
  await assert.rejects(readText('{"error": "?", "code": "unknown_text"}'), { phrase: "compose.unknown_text" });
  await assert.rejects(readText('{"error": "line 3: ?", "code": null}'), { phrase: null, message: "line 3: ?" });
});

test("without a server files are read in the encodings of Japanese", async () => {
  const { readFile } = reading(undefined, { ask: async (_kind, { text }) => ({ sfen: SFEN, line: [], title: text }) }).TsumeReading;
  const file = (...bytes) => ({ size: bytes.length, arrayBuffer: async () => new Uint8Array(bytes).buffer });
  const titles = [
    file(0xe6, 0x89, 0x8b), file(0x8e, 0xe8), file(0xff, 0xfe, 0x4b, 0x62), file(0xfe, 0xff, 0x62, 0x4b),
  ].map(async (given) => (await readFile(given)).title);
  assert.deepEqual(await Promise.all(titles), ["手", "手", "手", "手"]);
  await assert.rejects(readFile(file(0xff)), { phrase: "compose.unknown_text" });
});
