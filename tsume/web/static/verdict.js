// The verdict on the position, asked for after each change: what it is, and each of its faults.
//
// new TsumeVerdict(root, {line, position, take, themeName, forget}): `ask({sfen, line})`; `line` steps through what a finding shows,
// `take(sfen, text)` puts the position without a needless piece on the board.
"use strict";

(function () {
  const { language, say, element, button } = window.TsumeShared;
  const { words, post, json, Refused } = window.TsumeAsking;
  const AFTER = 150; // milliseconds without a change
  const SIGNS = { perfect: "◎", sound: "○", unsound: "✕" };
  const WEIGHTS = { fault: "✕", blemish: "△", note: "・" };

  class TsumeVerdict {
    constructor(root, { line, position, take, themeName, forget }) {
      this._root = root;
      this._themeName = themeName;
      this._forget = forget; // the line that a person intends
      this._take = take;
      this._line = line;
      this._position = position;
      this._headline = root.querySelector(".tc-headline");
      this._findings = root.querySelector(".tc-findings");
      this._facts = root.querySelector(".tc-facts");
      this._all = root.querySelector(".tc-all");
      this._bar = document.querySelector(".tc-bar"); // says the same at the edge of a small screen
      this._asking = null;
      this.judgement = null; // of the position that is shown
    }

    // Asks for the verdict on a position, with the line that is intended if there is one; a request for an earlier one is given up.
    ask(asked) {
      this.cancel();
      this.judgement = null;
      this._line.close();
      this._mark("waiting");
      const asking = new AbortController();
      this._asking = asking;
      this._waiting = setTimeout(() => this._ask(asked, asking), AFTER);
    }

    cancel() {
      clearTimeout(this._waiting);
      this._asking?.abort();
      this._asking = null;
    }

    // Says why a position cannot be judged.
    refuse(reasons) {
      this.cancel();
      this.judgement = null;
      this._say("refused", null, reasons.join(" "));
    }

    // Says nothing of the position until a person wants it, which `show` is told: a verdict tells the solution.
    hide(show) {
      this.cancel();
      this.judgement = null;
      this._say("quiet", "compose.hidden");
      this._headline.append(" ", button(say("compose.show_verdict"), show));
    }

    async _ask(asked, asking) {
      try {
        const busy = () => this._mark("waiting", say("web.busy"));
        const answer = await post("/api/judgement", asked, { signal: asking.signal, busy });
        const judgement = await json(answer);
        if (asking !== this._asking) return;
        this.judgement = judgement;
        this._show(judgement);
      } catch (error) {
        if (asking !== this._asking || error.name === "AbortError") return;
        if (!(error instanceof Refused)) {
          this._say("failed", "web.failed");
          throw error;
        }
        this._say(error.phrase ? "failed" : "refused", null, error.message);
      }
    }

    _mark(state, text = say("compose.judging")) {
      this._root.dataset.state = state;
      this._root.setAttribute("aria-busy", "true");
      const mark = element("span", "tc-mark", text);
      this._headline.querySelector(".tc-mark")?.remove();
      this._headline.querySelector("button")?.remove();
      this._headline.prepend(mark);
      for (const one of this._root.querySelectorAll(".tc-findings button")) one.disabled = true;
      this._bar.textContent = "…";
    }

    _say(state, name, text = say(name)) {
      this._root.dataset.state = state;
      this._root.removeAttribute("aria-busy");
      const sign = state === "refused" ? [element("span", "tc-sign", "✕"), " "] : [];
      this._headline.replaceChildren(...sign, text);
      this._findings.replaceChildren();
      this._facts.textContent = "";
      this._all.hidden = true;
      this._bar.textContent = this._headline.textContent;
    }

    _show(judgement) {
      const grade = judgement.grade || "unresolved";
      this._say(grade, null, "");
      const sign = element("span", "tc-sign", SIGNS[grade] || "？");
      sign.setAttribute("aria-hidden", "true");
      this._headline.replaceChildren(sign, " ", words(judgement.headline));
      this._bar.textContent = this._headline.textContent;
      this._findings.replaceChildren(
        ...this._intended(judgement), ...this._mainLine(judgement), ...judgement.findings.map((one) => this._finding(one, judgement)));
      this._facts.textContent = this._factsOf(judgement);
      const lines = (judgement.texts || {})[language] || [];
      this._all.hidden = !lines.length;
      this._all.querySelector("pre").textContent = lines.join("\n");
    }

    _factsOf({ quality, likeness, themes }) {
      if (typeof quality !== "number") return "";
      const facts = [say("compose.quality", { quality: Math.round(quality) })];
      if (typeof likeness === "number") facts.push(say("compose.likeness", { likeness }));
      if (themes.length) facts.push(say("compose.themes", { themes: themes.map(this._themeName).join(say("compose.and")) }));
      return facts.join(say("compose.and"));
    }

    _intended({ given }) {
      if (!given) return [];
      const title = say("compose.intended");
      const text = given.reading ? say("compose.intended_best")
        : given.wrong_at > given.line.length ? say("compose.intended_ends")
        : say("compose.intended_wrong", { number: given.wrong_at });
      const item = this._item(title, given.reading ? "main" : "fault", text, () => this._step(given.line, title, given.wrong_at));
      item.append(button(say("compose.not_intended"), this._forget));
      return [item];
    }

    _mainLine({ line, given }) {
      if (!line.length || (given && given.line.join() === line.join())) return [];
      return [this._item(say("compose.main_line"), "main", "", () => this._step(line, say("compose.main_line")))];
    }

    _finding(finding, { faults }) {
      const name = finding.defect || finding.remark;
      const weight = faults.includes(name) || (name === "WRONG_LENGTH" && faults.length) ? "fault"
        : name === "LAST_MOVE_ALTERNATIVES" ? "note" : "blemish";
      const term = say(`terms.${name}`);
      const text = words(finding.text);
      const line = movesOf(finding.line);
      const title = `${term}: ${text}`;
      const act = line.length ? () => this._step(line, title, finding.turn) : null;
      const item = this._item(term, weight, text, act);
      if (finding.smaller) {
        item.append(button(say("compose.take_smaller"), () => this._take(finding.smaller, "")));
        item.lastChild.setAttribute("aria-label", `${say("compose.take_smaller")}: ${text}`);
      }
      return item;
    }

    _item(term, weight, text, act) {
      const parts = [
        element("span", "tc-sign", WEIGHTS[weight] || "▶"), element("strong", "", term), element("span", "tc-text", text)];
      const weighed = weight === "main" ? "" : say(`compose.is_${weight}`);
      parts[0].title = weighed;
      if (weighed) parts.splice(1, 0, element("span", "tc-weight", weighed));
      const held = act ? button("", act) : element("div", "");
      held.append(...parts);
      return element("li", `tc-${weight}`, held);
    }

    _step(line, title, turn = 1) {
      this._line.show(this._position(), line, { title, from: Math.max((turn || 1) - 1, 0) });
    }
  }

  function movesOf(line) {
    if (!line) return [];
    return Array.isArray(line) ? line : line.split(" ").filter(Boolean);
  }

  window.TsumeVerdict = TsumeVerdict;
})();
