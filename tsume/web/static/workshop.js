// The long work: repairs, suggestions and new problems, each shown as soon as it is found.
//
// new TsumeWorkshop(root, {take, save}): `start(kind, body)`, `stop()`. `take(find)` puts a find on the board,
// `save(sfen)` keeps it in the store and answers what to say of it.
"use strict";

(function () {
  const { language, say, element, button } = window.TsumeShared;
  const { words, post, lines, Refused } = window.TsumeAsking;
  const ADDRESSES = { mend: "/api/mending", enrich: "/api/enriching", generate: "/api/generating" };
  const FINDS = ["repair", "suggestion", "problem"];

  class TsumeWorkshop {
    constructor(root, { take, save }) {
      this._take = take;
      this._save = save;
      this._progress = root.querySelector(".tc-progress");
      this._finds = root.querySelector(".tc-finds");
      this._stop = root.querySelector("[data-act=stop]");
      this._working = null;
    }

    async start(kind, body) {
      this.stop();
      const working = new AbortController();
      this._working = working;
      this._kind = kind;
      this._count = 0;
      this._finds.replaceChildren();
      this._stop.disabled = false;
      this._tell(say(`compose.begun_${kind}`));
      try {
        const busy = () => this._tell(say("web.busy"));
        const answer = await post(ADDRESSES[kind], body, { signal: working.signal, busy });
        for await (const event of lines(answer)) {
          if (this._working !== working) return;
          this._told(event);
        }
        if (this._working === working) this._ended(say("compose.work_failed", { count: this._count }));
      } catch (error) {
        if (this._working !== working || error.name === "AbortError") return;
        this._ended(error instanceof Refused ? error.message : say("web.no_answer"));
      }
    }

    stop() {
      if (!this._working) return;
      this._working.abort();
      this._ended(say("compose.stopped", { count: this._count }));
    }

    _ended(text) {
      this._working = null;
      const focused = document.activeElement === this._stop;
      this._stop.disabled = true;
      this._tell(text);
      if (focused) this._finds.querySelector("button")?.focus();
    }

    _tell(text) {
      this._progress.textContent = text;
    }

    _told(event) {
      if (FINDS.includes(event.event)) this._found(event);
      else if (event.event === "progress") this._tell(say("compose.progress", progressOf(event)));
      else if (event.event === "end") this._ended(this._endText(event));
    }

    _endText({ error, complete }) {
      if (error) return say("compose.work_failed", { count: this._count });
      if (!complete) return say("compose.work_cut", { count: this._count });
      return say(this._count ? "compose.work_done" : "compose.none_found", { count: this._count });
    }

    _found(find) {
      this._count += 1;
      const number = this._count;
      const image = element("img", "");
      image.src = `/api/diagram.svg?${new URLSearchParams({ sfen: find.sfen, lang: language })}`;
      image.alt = say("compose.diagram_of", { number });
      const take = button(say("compose.take_over"), () => this._take(find));
      take.setAttribute("aria-label", say("compose.take_over_number", { number }));
      const tools = element("div", "tc-tools", take);
      if (this._kind === "generate") tools.append(this._saving(find, number));
      const told = element("div", "tc-find-text",
        element("p", "", element("strong", "", `${number}. `), words(find.text || "")),
        element("p", "tc-facts", factsOf(find)), tools);
      this._finds.append(element("li", "tc-find", image, told));
      if (this._kind !== "generate") this._tell(say("compose.found_so_far", { count: number }));
    }

    _saving(find, number) {
      const saving = button(say("compose.save_find"), async () => {
        saving.disabled = true;
        try {
          saving.replaceWith(await this._save({ sfen: find.sfen }));
        } finally {
          saving.disabled = false;
        }
      });
      saving.setAttribute("aria-label", say("compose.save_number", { number }));
      return saving;
    }
  }

  function progressOf({ roots, found, seconds }) {
    return { roots, found, seconds: Math.round(seconds) };
  }

  // What is known of a find, in short.
  function factsOf({ length, grade, stars, quality, gain }) {
    const facts = [];
    if (grade) facts.push(say("compose.grade_in", { grade: say(`grades.${grade}`), length }));
    else if (length) facts.push(say("web.mate_in", { length }));
    if (stars) facts.push("★".repeat(stars));
    if (typeof quality === "number") facts.push(say("compose.quality", { quality: Math.round(quality) }));
    if (typeof gain === "number") facts.push(`${gain < 0 ? "−" : "+"}${Math.abs(gain).toFixed(1)}`);
    return facts.join(language === "ja" ? "　" : ", ");
  }

  window.TsumeWorkshop = TsumeWorkshop;
})();
