// SPDX-License-Identifier: GPL-3.0-or-later
// The page of games: finds the mates that were on the board, lists them, lets them be solved and adds them to training.
"use strict";

/**
 * @typedef {{at: number, side: "black" | "white", sfen: string, length: number, fate: string}} FoundMate
 * @typedef {{
 *   moves: number, mates: FoundMate[], unresolved: number[], error: string | null,
 *   headers?: {black?: string, white?: string, event?: string, date?: string},
 * }} FoundGame
 */

(function () {
  const { make, button, find } = TsumeDom;
  const { say } = TsumePhrases;
  const { RequestError, isAbort } = TsumeErrors;
  const { readSfen, formatSfen } = TsumeSfen;
  const root = find(document, ".games");
  const form = find(root, "form", HTMLFormElement);
  const [field, picker] = [find(form, "textarea", HTMLTextAreaElement), find(form, "input", HTMLInputElement)];
  const list = find(root, ".tg-list");
  const stop = find(root, "[data-act=stop]");
  const check = find(root, ".tg-check"); // of a record without moves
  /** @type {AbortController | null} */
  let reading = null;
  /** @type {InstanceType<typeof TsumePlayer> | null} */
  let player = null;
  let text = ""; // of the record

  /** @param {string} message */
  function tell(message) {
    find(root, ".tg-said").textContent = message;
  }

  /** @param {string | File} given */
  async function read(given) {
    reading?.abort();
    const current = new AbortController();
    reading = current;
    player?.close();
    player = null;
    list.replaceChildren();
    stop.hidden = false;
    check.hidden = true;
    let [games, mates] = [0, 0];
    const done = () => say(mates ? "training.games_done" : "training.games_none", { games, mates });
    try {
      tell(say("training.games_searching", { games }));
      text = await TsumeReading.textOf(given);
      for await (const event of TsumeLocalSolver.stream("games", { text }, { signal: current.signal })) {
        if (event.event !== "game") continue;
        games += 1;
        mates += event.mates.length;
        if (!event.moves && !event.error) check.hidden = false;
        if (event.mates.length || event.error) list.append(section(event, games));
        tell(say("training.games_searching", { games }));
      }
      tell(done());
    } catch (error) {
      if (reading !== current) return;
      if (isAbort(error)) tell(done());
      else if (error instanceof RequestError) tell(error.message);
      else throw error;
    } finally {
      if (reading === current) stop.hidden = true;
    }
  }

  // A game: who played, its mates, and the place of the player.
  /** @param {FoundGame} game @param {number} number */
  function section(game, number) {
    const { black, white, event, date } = game.headers || {};
    const players = black || white ? `${black || "?"} – ${white || "?"}` : say("training.game_number", { number });
    const names = [players, event, date].filter(Boolean).join(" ");
    const place = make("div", { class: "tg-play" });
    const facts = [say("training.game_facts", { moves: game.moves, mates: game.mates.length })];
    if (game.unresolved.length) facts.push(say("training.game_open", { numbers: game.unresolved.map((at) => at + 1).join(" ") }));
    if (game.error) facts.push(say("training.game_fault", { fault: game.error }));
    return make("section", { class: "tg-game" }, make("h2", {}, names), ...facts.map((fact) => make("p", {}, fact)),
      make("ul", { class: "tg-mates" }, ...game.mates.map((mate) => make("li", {}, choice(mate, names, place)))), place);
  }

  /** @param {FoundMate} mate @param {string} names @param {HTMLElement} place */
  function choice(mate, names, place) {
    const title = say("training.game_mate", {
      number: mate.at + 1, side: say(`training.game_${mate.side}`), length: mate.length, fate: say(`training.fate_${mate.fate}`),
    });
    const sign = { played: "◎ ", slower: "✗ ", missed: "✗ " }[mate.fate] || "";
    const made = button(sign + title, () => {
      for (const one of root.querySelectorAll("[aria-pressed=true]")) one.setAttribute("aria-pressed", "false");
      made.setAttribute("aria-pressed", "true");
      solve(mate, title, names, place);
    }, { class: `tg-mate tg-${mate.fate}`, "aria-pressed": "false" });
    return made;
  }

  /** @param {FoundMate} mate @param {string} title @param {string} names @param {HTMLElement} place */
  function solve(mate, title, names, place) {
    player?.close();
    for (const other of list.querySelectorAll(".tg-play")) other.replaceChildren();
    const sfen = formatSfen(/** @type {ReadSfen} */ (readSfen(mate.sfen)).position);
    const problem = { sfen, length: mate.length, address: "" };
    const board = make("div", { class: "player" });
    const said = make("p", { role: "status" });
    const analysis = make("section", { class: "analysis" });
    const answer = button(say("training.answer"), () => {
      answer.hidden = true;
      opened.giveUp();
      new TsumeAnalysis(analysis, { problem, line: opened.line, look: (shown) => opened.look(shown) });
    });
    const adding = button(say("training.exercise_add"), async () => {
      adding.setAttribute("disabled", "");
      said.textContent = say("training.exercise_waits");
      said.replaceChildren(await added(mate, `${names} (${mate.at + 1})`));
    });
    place.replaceChildren(make("h3", {}, title), board);
    const opened = new TsumePlayer(board, { sfen, ended: () => {} });
    find(board, ".tp-side").append(make("div", { class: "tr-acts" }, answer, adding), said, analysis); // beside the board
    player = opened;
    opened.open(problem).catch(() => {}); // the player says why
    place.scrollIntoView({ block: "nearest" });
  }

  /**
   * Adds a mate to training, with a server to its store; returns what came of it.
   * @param {FoundMate} mate
   * @param {string} title
   * @returns {Promise<Node | string>}
   */
  async function added({ sfen }, title) {
    try {
      const exercise = await TsumeLocalSolver.askApart("exercise", { sfen });
      if (!exercise.sfen) return say("training.exercise_none");
      const server = window.TsumeComposeServer;
      if (server) return await server.saveProblem({ sfen: exercise.sfen, comment: title });
      return say(TsumeExercises.add({ ...exercise, title }) ? "training.exercise_added" : "training.exercise_known");
    } catch (error) {
      if (error instanceof RequestError) return error.message;
      throw error;
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) read(field.value);
  });
  picker.addEventListener("change", () => { if (picker.files?.[0]) read(picker.files[0]); });
  stop.addEventListener("click", () => reading?.abort());
  check.addEventListener("click", () => TsumeReading.hand(text));
  const given = TsumeReading.taken();
  if (given) read(given);
  TsumeComposeDrop.connect({ readText: read, readFile: read, refusePicture: () => {} });
})();
