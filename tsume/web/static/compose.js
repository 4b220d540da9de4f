// The page on which problems are composed: the position with its history, and what the buttons do with it.
"use strict";

(function () {
  const { replaced, replacedMoves, cleared, readSfen, sfenOf } = window.TsumeArrangement;
  const { language, say, remember, remembered } = window.TsumeShared;
  const { words, Refused } = window.TsumeAsking;
  const { copy, kif, saveSvg, savePng, store } = window.TsumeTakingAway;
  const { States } = window.TsumeStates;
  const FIRST = "4k4/9/9/9/9/9/9/9/9 b - 1";
  const KEPT = "tsume.compose";
  const AUTHOR = "tsume.author";
  const SIGNS = "tsume.signs";

  const root = document.querySelector(".composer");
  const editor = root.querySelector("tsume-editor");
  const said = root.querySelector(".tc-said");
  const sfenField = root.querySelector("#sfen");
  const copied = root.querySelector(".tc-copied");
  const saved = root.querySelector(".tc-saved");
  const form = (name) => root.querySelector(`[data-form=${name}]`);
  const tool = (act) => root.querySelector(`[data-act=${act}]`);

  const LONGEST = 2000; // characters of an address that the server takes, and a few to spare
  const LATER = 10_000; // milliseconds

  let states = null; // each {position, rest, kept, intended}; intended: the moves of the solution, or none
  let hidden = null; // the position (`asked` in JSON) of which no verdict is told before it is asked for
  let keeping; // an address that could not be set yet

  const line = new window.TsumeLinePlayer(root.querySelector(".tc-line"), {
    editor, ended: () => draw(), intend: (moves) => intend(moves),
  });
  const verdict = new window.TsumeVerdict(root.querySelector(".tc-verdict"), {
    line,
    position: () => now().position,
    themeName: (tag) => form("generate").elements.themes.querySelector(`[value="${CSS.escape(tag)}"]`)?.textContent || tag,
    take: (sfen) => takeOver(sfen, ""),
    forget: () => intend([]),
  });
  const workshop = new window.TsumeWorkshop(root.querySelector(".tc-workshop"), {
    take: ({ sfen, line, text }) => {
      const intended = line && line.join() === now().intended.join() ? now().intended : [];
      takeOver(sfen, text ? words(text) : "", intended);
    },
    save: (problem) => store({ ...problem, author: form("save").elements.author.value }),
  });

  function now() {
    return states.now;
  }

  function sfen() {
    return sfenOf(now().position);
  }

  // The position as the server is asked about it.
  function asked() {
    return now().intended.length ? { sfen: sfen(), line: now().intended.join(" ") } : { sfen: sfen() };
  }

  function tell(text) {
    said.textContent = text;
  }

  // --- states -------------------------------------------------------------------------------------

  function changed() {
    line.close();
    draw();
    judge();
    if (!isHidden()) remember(KEPT, `${sfen()} moves ${now().intended.join(" ")}`);
    keepAddress();
  }

  function isHidden() {
    return hidden === JSON.stringify(asked());
  }

  function unhide() {
    hidden = null;
    judge();
    keepAddress();
  }

  function judge() {
    if (isHidden()) {
      verdict.hide(unhide);
      return;
    }
    const faults = window.TsumeLegality.faults(now().position, editor);
    if (faults.length) verdict.refuse(faults);
    else verdict.ask(asked());
  }

  function draw() {
    const { position, rest, kept } = now();
    editor.show(position, { rest, kept });
    enable("undo", states.canUndo, "redo");
    enable("redo", states.canRedo, "undo");
    if (document.activeElement !== sfenField) sfenField.value = sfen();
    sfenField.removeAttribute("aria-invalid");
  }

  // A button that is disabled loses the focus: another one gets it.
  function enable(act, enabled, other) {
    const focused = document.activeElement === tool(act);
    tool(act).disabled = !enabled;
    if (focused && !enabled) tool(other).focus();
  }

  // The page with this position; a line that is too long for an address is left out.
  function addressIn(lang) {
    const query = new URLSearchParams({ ...asked(), lang });
    if (isHidden()) query.set("quiet", "1");
    if (location.pathname.length + `?${query}`.length > LONGEST) query.delete("line");
    return `?${query}`;
  }

  // Browsers refuse an address that changes too often: then it is set later.
  function keepAddress() {
    clearTimeout(keeping);
    try {
      history.replaceState(null, "", addressIn(language));
    } catch {
      keeping = setTimeout(keepAddress, LATER);
    }
    for (const link of document.querySelectorAll("header a[hreflang]")) link.href = addressIn(link.hreflang);
  }

  function step(by) {
    if (!states.step(by)) return;
    changed();
    tell(say(by < 0 ? "compose.undone" : "compose.redone"));
  }

  // Another position; squares whose pieces are gone need no longer be kept.
  function replace(position, text, { rest = now().rest, intended = now().intended } = {}) {
    const before = now();
    const kept = new Set([...before.kept].filter((square) => {
      const [old, piece] = [before.position, position].map((one) => one.squares.get(square));
      return old && piece && old.kind === piece.kind && old.side === piece.side;
    }));
    states.enter({ position, rest, kept, intended });
    changed();
    tell(text);
  }

  function intend(moves) {
    line.close();
    replace(now().position, say(moves.length ? "compose.is_intended" : "compose.none_intended"), { intended: moves });
  }

  function takeOver(taken, text, intended = now().intended) {
    const { position, rest } = readSfen(taken);
    replace(position, [say("compose.taken_over"), text].filter(Boolean).join(" "), { rest, intended });
    editor.scrollIntoView({ block: "nearest" });
  }

  function read(text) {
    const found = readSfen(text);
    if (found) {
      replace(found.position, say("compose.sfen_read"), { rest: found.rest, intended: found.moves });
      sfenField.value = sfen();
    } else {
      tell(say("compose.bad_sfen"));
      sfenField.setAttribute("aria-invalid", "true");
    }
    return found;
  }

  // --- the buttons --------------------------------------------------------------------------------

  // Everything to the left, right, up, down, or mirrored.
  function moveAll(how, name = "compose.shifted") {
    const position = replaced(now().position, how);
    if (position) replace(position, say(name), { intended: replacedMoves(now().intended, how) });
    else tell(say("compose.falls_off"));
  }

  function keep() {
    const square = editor.current();
    if (!square) return;
    const kept = new Set(now().kept);
    const had = kept.delete(square);
    if (!had) kept.add(square);
    states.now = { ...now(), kept };
    draw();
    tell(say(had ? "compose.no_longer_kept" : "compose.is_kept", { square: editor.squareName(square) }));
  }

  function changeSigns() {
    editor.signs = editor.signs === "kanji" ? "letters" : "kanji";
    remember(SIGNS, editor.signs);
    nameSigns();
    draw();
  }

  function nameSigns() {
    tool("signs").textContent = say("web.signs", { signs: say(editor.signs === "kanji" ? "web.kanji" : "web.letters") });
  }

  function work(kind) {
    const wish = (name) => Number(root.querySelector(`[name=${name}]`).value);
    const body = { ...asked(), edits: wish("edits") };
    if (now().kept.size) body.keep = [...now().kept];
    if (kind === "mend" && wish("mended_moves")) body.moves = wish("mended_moves");
    workshop.start(kind, body);
  }

  async function copyText(text, name) {
    tell(say(await copy(text, copied) ? name : "compose.copy_by_hand"));
  }

  // What may be refused is told, not thrown.
  async function trying(act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      tell(error.message);
    }
  }

  const ACTS = {
    promote: () => editor.promote(),
    turn: () => editor.turn(),
    hand: () => editor.intoHand(),
    off: () => editor.takeOff(),
    keep,
    undo: () => step(-1),
    redo: () => step(1),
    mirror: () => moveAll("mirror", "compose.mirrored"),
    left: () => moveAll("left"),
    right: () => moveAll("right"),
    up: () => moveAll("up"),
    down: () => moveAll("down"),
    clear: () => replace(cleared(now().position), say("compose.cleared"), { rest: true, intended: [] }),
    signs: changeSigns,
    mend: () => work("mend"),
    enrich: () => work("enrich"),
    stop: () => workshop.stop(),
    verdict: () => {
      const place = root.querySelector(".tc-verdict");
      place.focus({ preventScroll: true });
      place.scrollIntoView();
    },
    copy_sfen: () => copyText(sfen(), "compose.sfen_copied"),
    copy_link: () => copyText(new URL(addressIn(language), location.href).href, "compose.link_copied"),
    copy_kif: () => trying(async () => {
      const { given, line: best = [] } = verdict.judgement || {};
      const moves = given && given.reading ? given.line : best;
      await copyText(await kif(sfen(), moves), "compose.kif_copied");
    }),
    svg: () => trying(() => saveSvg(sfen())),
    png: () => trying(() => savePng(sfen())),
  };

  root.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-act]");
    if (pressed) ACTS[pressed.dataset.act]();
  });

  // --- the forms ----------------------------------------------------------------------------------

  function onSubmit(name, act) {
    form(name).addEventListener("submit", (event) => {
      event.preventDefault();
      act(form(name).elements);
    });
  }

  onSubmit("sfen", ({ sfen: field }) => read(field.value));
  onSubmit("generate", ({ moves, count, pieces, stars, themes, natural }) => {
    const wishes = { moves: Number(moves.value), count: Number(count.value), natural: natural.checked };
    if (pieces.value) wishes.pieces = Number(pieces.value);
    if (stars.value) wishes.stars = Number(stars.value);
    if (themes.value) wishes.themes = [themes.value];
    workshop.start("generate", wishes);
  });
  onSubmit("save", async ({ title, author, comment }) => {
    remember(AUTHOR, author.value);
    saved.textContent = say("compose.saving");
    const button = form("save").querySelector("button");
    button.disabled = true;
    try {
      saved.replaceChildren(await store({
        ...asked(), title: title.value.trim(), author: author.value.trim(), comment: comment.value.trim(),
      }));
    } catch (error) {
      saved.textContent = say("web.failed");
      throw error;
    } finally {
      button.disabled = false;
    }
  });

  // --- keys of the whole page ---------------------------------------------------------------------

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.target.closest("input, textarea, select")) return;
    const beside = event.target.closest(".tc-left, .tc-verdict"); // single letters mean nothing elsewhere
    const key = event.key.toLowerCase();
    const command = event.ctrlKey || event.metaKey;
    const act = command && key === "z" ? (event.shiftKey ? "redo" : "undo")
      : command && key === "y" ? "redo"
      : command || !beside ? null
      : { u: "undo", y: "redo", m: "mirror" }[key];
    if (act) {
      event.preventDefault();
      ACTS[act]();
    } else if (line.isOpen && !command && beside) {
      steppedBy(event);
    }
  });

  function steppedBy(event) {
    const act = { ",": () => line.step(-1), ".": () => line.step(1), Escape: () => line.close() }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  document.addEventListener("paste", (event) => {
    if (event.target.closest("input, textarea")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) read(text);
  });

  editor.addEventListener("edit", ({ detail }) => replace(detail.position, detail.said, { rest: detail.rest }));
  editor.addEventListener("say", (event) => tell(event.detail));
  editor.addEventListener("leave", () => {
    line.close();
    tell(say("compose.line_closed"));
  });

  // --- the beginning ------------------------------------------------------------------------------

  function begin() {
    editor.language = language;
    editor.signs = remembered(SIGNS) === "letters" ? "letters" : "kanji";
    nameSigns();
    form("save").elements.author.value = remembered(AUTHOR) || "";
    const query = new URLSearchParams(location.search);
    const given = query.get("sfen");
    const found = given ? readSfen(`${given} moves ${query.get("line") || ""}`) : null;
    const last = readSfen(remembered(KEPT) || FIRST) || readSfen(FIRST);
    const { position, rest, moves } = found || last;
    const isLast = sfenOf(position) === sfenOf(last.position); // its line may be too long for the address
    const intended = isLast && !query.has("line") ? last.moves : moves;
    states = new States({ position, rest, kept: new Set(), intended });
    if (query.has("quiet") && found) hidden = JSON.stringify(asked());
    draw();
    tell(say(given === null || found ? "compose.begin" : "compose.bad_sfen"));
    judge();
    keepAddress();
  }

  begin();
})();
