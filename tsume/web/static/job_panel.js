// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of long jobs: it finds repairs, improvements and new problems, and shows each as soon as it arrives.
"use strict";

/** @typedef {"mend" | "enrich" | "generate"} JobKind */
/**
 * @typedef {object} JobActions
 * @property {(kind: JobKind, body: object, options: {signal: AbortSignal, busy: () => void}) => AsyncIterable<JobEvent>} events
 *   runs a job
 * @property {(find: Find) => void} take puts a find on the board
 * @property {((problem: {sfen: string}) => Promise<HTMLElement>)} [save] stores it and returns what to show instead of its
 *   button; no problem can be saved without it
 */

const TsumeJobPanel = (function () {
  const { language, say, localized, sentence } = TsumePhrases;
  const { make, button, find, enable } = TsumeDom;
  const { RequestError, isAbort } = TsumeErrors;

  return class {
    /** @param {HTMLElement} root @param {JobActions} actions */
    constructor(root, { events, take, save }) {
      this._events = events;
      this._take = take;
      this._save = save;
      this._progress = find(root, ".tc-progress");
      this._finds = find(root, ".tc-finds");
      this._stop = find(root, "[data-act=stop]");
      this._root = root;
      this._link = find(document, ".tc-bar [data-act=finds]"); // to what was found, at the edge of a small screen
      this._clear = find(root, "[data-act=clear_finds]");
      /** @type {AbortController | null} */
      this._running = null;
      /** @type {Find[]} */
      this._found = [];
      this._work = { roots: 0, seconds: 0 }; // of composing, as last reported
      const found = TsumeFindStore.stored();
      for (const one of found) this._add(one);
      if (found.length) this._tell(say("compose.finds_of_last_time", { count: found.length }));
    }

    get _count() {
      return this._found.length;
    }

    /** @param {JobKind} kind @param {object} body of the request */
    async start(kind, body) {
      this.stop();
      const running = new AbortController();
      this._running = running;
      this._work = { roots: 0, seconds: 0 };
      this._removeFinds();
      enable(this._stop, true);
      find(this._root, kind === "generate" ? "form button" : `[data-act=${kind}]`).setAttribute("aria-busy", "true");
      this._tell(say(`compose.begun_${kind}`));
      this._progress.scrollIntoView({ block: "nearest" });
      try {
        const busy = () => this._tell(say("web.busy"));
        for await (const event of this._events(kind, body, { signal: running.signal, busy })) {
          if (this._running !== running) return;
          this._receive(event);
        }
        if (this._running === running) this._end(say("compose.work_failed", { count: this._count }));
      } catch (error) {
        if (this._running !== running || isAbort(error)) return;
        this._end(error instanceof RequestError ? error.message : say("web.no_answer"));
      }
    }

    stop() {
      if (!this._running) return;
      this._running.abort();
      this._end(say("compose.stopped", { count: this._count }));
    }

    // Removes the finds, also those of a job that is still running.
    clear() {
      this._removeFinds();
      TsumeFindStore.store([]);
      this._tell(say("compose.finds_cleared"));
      find(this._root, "[data-act=mend]").focus();
    }

    _removeFinds() {
      this._found = [];
      this._finds.replaceChildren();
      this._clear.hidden = true;
    }

    /** @param {string} text */
    _end(text) {
      this._running = null;
      enable(this._stop, false);
      this._root.querySelector("button[aria-busy]")?.removeAttribute("aria-busy");
      this._tell(text);
    }

    /** @param {string} text */
    _tell(text) {
      this._progress.textContent = text;
      this._link.hidden = !this._running && !this._count;
      this._link.textContent = this._count ? say("compose.finds_link", { count: this._count }) : "…";
    }

    /** @param {JobEvent} event */
    _receive(event) {
      if (event.event === "progress") {
        this._work = event;
        this._tellProgress();
      } else if (event.event === "end") {
        this._end(event.text ? localized(event.text) : say(this._endPhrase(event), { count: this._count }));
      } else if (event.event === "repair" || event.event === "suggestion" || event.event === "problem") {
        this._add(event);
        TsumeFindStore.store(this._found);
        if (event.event === "problem") this._tellProgress();
        else this._tell(say("compose.found_so_far", { count: this._count }));
      }
    }

    // Composing so far: as many problems as the list has.
    _tellProgress() {
      const { roots, seconds } = this._work;
      this._tell(say("compose.progress", { roots, found: this._count, seconds: Math.round(seconds) }));
    }

    /** @param {{error?: unknown, reason?: "perfect" | "unsound", complete: boolean}} end */
    _endPhrase({ error, reason, complete }) {
      if (error) return "compose.work_failed";
      if (reason) return `compose.none_of_${reason}`;
      if (!complete) return "compose.work_cut";
      return this._count ? "compose.work_done" : "compose.none_found";
    }

    /** @param {Find} found */
    _add(found) {
      this._found.push(found);
      this._clear.hidden = false;
      const number = this._count;
      const take = button(say("compose.take_over"), () => this._take(found), {
        "aria-label": say("compose.take_over_number", { number }),
      });
      const tools = make("div", { class: "tc-tools" }, take);
      if (found.event === "problem" && this._save) tools.append(this._saveButton(found, number, this._save));
      const text = make("div", { class: "tc-find-text" },
        make("p", {}, make("strong", {}, `${number}. `), sentence(localized(found.text || ""))),
        make("p", { class: "tc-facts" }, factsOf(found)), ...blemishesOf(found), tools);
      this._finds.append(make("li", { class: "tc-find" }, picture(found.sfen, say("compose.diagram_of", { number })), text));
    }

    /** @param {Find} found @param {number} number @param {(problem: {sfen: string}) => Promise<HTMLElement>} store */
    _saveButton(found, number, store) {
      const save = button(say("compose.save_find"), async () => {
        enable(save, false);
        try {
          const said = await store({ sfen: found.sfen });
          const hasFocus = document.activeElement === save;
          save.replaceWith(said);
          if (hasFocus) said.focus({ preventScroll: true });
        } finally {
          enable(save, true);
        }
      }, { "aria-label": say("compose.save_number", { number }) });
      return save;
    }
  };

  // The position with the attacker's hand.
  /** @param {string} sfen @param {string} label */
  function picture(sfen, label) {
    const position = TsumePosition.Position.fromSfen(sfen);
    const held = [...TsumePosition.HAND_ORDER].filter((kind) => position.hands.b[kind])
      .map((kind) => TsumeNotation.pieceName(kind) + (position.hands.b[kind] > 1 ? ` ${position.hands.b[kind]}` : ""));
    return make("figure", {}, TsumeBoardDrawing.diagram(position, null, label), make("figcaption", {}, `${say("web.in_hand")}: ${held.join(say("web.and")) || say("web.nothing")}`));
  }

  /** @param {Find} found */
  function blemishesOf({ blemishes = [] }) {
    const terms = blemishes.map((name) => say(`terms.${name === "FORM" ? "UNDETERMINED_FORM" : name}`)).join(say("web.and"));
    return terms ? [make("p", { class: "tc-hint" }, say("compose.find_blemishes", { blemishes: terms }))] : [];
  }

  /** @param {Find} found */
  function factsOf({ length, grade, rating, stars, rank_in_length: rank, quality, gain }) {
    const facts = [];
    if (grade) facts.push(say("compose.grade_in", { grade: say(`grades.${grade}`), length: length || 0 }));
    else if (length) facts.push(say("web.mate_in", { length }));
    if (stars) facts.push(`${rating || ""} ${"★".repeat(stars)} ${say(`difficulty.stars_${stars}`)}`.trim());
    if (rank) facts.push(say("difficulty.in_length", { length: length || 0, rank: say(`difficulty.fifth_${rank}`) }));
    if (typeof quality === "number") facts.push(say("compose.quality", { quality: Math.round(quality) }));
    if (typeof gain === "number") facts.push(`${gain < 0 ? "−" : "+"}${Math.abs(gain).toFixed(1)}`);
    return facts.join(language === "ja" ? "　" : ", ");
  }
})();
