// SPDX-License-Identifier: GPL-3.0-or-later
// The page to compose on: what its buttons, forms and keys do.
"use strict";

(function () {
  const { cleared } = TsumeArrangement;
  const { say } = TsumePhrases;
  const { find, closest } = TsumeDom;
  const { RequestError } = TsumeErrors;
  const { kif, saveSvg, savePng } = TsumeExport;
  const SHORTEST_GAME = 100; // characters

  const root = find(document, ".composer");
  const page = new TsumeComposePage(root);
  const { editor, line, composition } = page;
  const verdict = find(root, ".tc-verdict");
  const picker = find(root, ".tc-file", HTMLInputElement);

  /**
   * @param {string | Promise<string>} text
   * @param {string} phrase
   * @param {string} [note] what else to say
   */
  async function copyText(text, phrase, note = "") {
    const told = say(await TsumeClipboard.copy(text, find(root, ".tc-copied")) ? phrase : "compose.copy_by_hand");
    page.tell([told, note].filter(Boolean).join(" "));
  }

  async function copyKif() {
    if (!page.isLegal()) return;
    const moves = solution();
    await copyText(kif(composition.sfen, moves, composition.state.texts), "compose.kif_copied", moves.length ? "" : say("compose.kif_without_moves"));
  }

  // The best line, rather the intended one of several; before the verdict the intended one, as far as it can be played.
  function solution() {
    const { judgement } = page.verdict;
    const given = judgement?.given;
    if (given?.beginning_of && given.better.length) return [...given.line, ...given.better];
    if (judgement) return given?.reading ? given.line : judgement.line;
    const { position, intended } = composition.state;
    return new TsumeMoveLine(position, intended).moves;
  }

  /** @param {(sfen: string) => Promise<string>} save returns the name of the file */
  async function savePicture(save) {
    page.tell(say("compose.picture_saved", { name: await save(composition.sfen) }));
  }

  /**
   * Tells the user if a request fails.
   * @param {() => Promise<void>} act
   */
  async function tryTo(act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      page.tell(error.message);
    }
  }

  let game = ""; // the text that was read last, if it may be one

  /** @param {string | File} given */
  async function read(given) {
    const problem = await page.read(given);
    if (problem) TsumeComposeForms.fill(root, problem);
    const hasKing = problem && [...problem.position.squares.values()].some(({ side, kind }) => side === "b" && kind === "K");
    game = hasKing ? await TsumeReading.textOf(given) : "";
    find(root, ".tc-game").hidden = game.length <= SHORTEST_GAME; // a problem may have both kings
    if (problem && verdict.getBoundingClientRect().top < 0) verdict.scrollIntoView();
  }

  /** @param {HTMLElement} place */
  function focus(place) {
    place.focus({ preventScroll: true });
    place.scrollIntoView();
  }

  /** @type {Record<string, () => void>} */
  const ACTIONS = {
    promote: () => editor.promote(),
    turn: () => editor.changeSide(),
    hand: () => editor.moveToHand(),
    off: () => editor.remove(),
    undo: () => page.step(-1),
    redo: () => page.step(1),
    mirror: () => page.shift("mirror", "compose.mirrored"),
    left: () => page.shift("left"),
    right: () => page.shift("right"),
    up: () => page.shift("up"),
    down: () => page.shift("down"),
    clear: () => page.replace(cleared(composition.state.position), say("compose.cleared"), {
      rest: true, intended: [], texts: TsumeComposition.NO_TEXTS,
    }),
    verdict: () => focus(verdict),
    finds: () => focus(find(root, ".tc-progress")),
    open: () => picker.click(),
    paste: () => {
      find(root, ".tc-take", HTMLDetailsElement).open = true;
      focus(find(root, "#text"));
    },
    copy_sfen: () => copyText(composition.sfen, "compose.sfen_copied"),
    copy_kif: () => tryTo(copyKif),
    svg: () => tryTo(() => savePicture(saveSvg)),
    png: () => tryTo(() => savePicture(savePng)),
    copy_link: () => copyText(page.link, "compose.link_copied"),
    ...TsumeComposeJobs.connect(root, page),
  };

  root.addEventListener("click", (event) => {
    const name = closest(event, "[data-act]")?.dataset.act;
    if (name) ACTIONS[name]();
  });
  root.addEventListener("click", (event) => { // a piece that is not in the box says so itself
    if (closest(event, "button[aria-disabled=true]:not(.tb-held)")) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, { capture: true });
  find(root, ".tc-game").addEventListener("click", () => TsumeReading.hand(game));
  TsumeComposeForms.connectText(root, read);
  TsumeDrafts.connect(root, page);
  TsumeComposeKeys.connect({ line, editor, act: (name) => ACTIONS[name]() });
  TsumeComposeDrop.connect({
    readText: read, readFile: read, refusePicture: () => page.reject(say("compose.no_picture")),
  });
  picker.addEventListener("change", () => {
    if (picker.files?.[0]) read(picker.files[0]);
    picker.value = ""; // the same file can be chosen again
  });
  const given = TsumeReading.taken(); // of the page of games
  if (given) read(given);
  find(root, ".tc-more").append(TsumeSettingsView.panel());
  editor.addEventListener("edit", ({ detail }) => page.replace(detail.position, detail.message, { rest: detail.rest }));
  editor.addEventListener("say", (event) => page.tell(event.detail));
  editor.addEventListener("leave", () => {
    line.close();
    page.tell(say("compose.line_closed"));
  });
})();
