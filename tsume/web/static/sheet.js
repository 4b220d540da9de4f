// SPDX-License-Identifier: GPL-3.0-or-later
// Sheets to print of the problems of a list: so many a page, answers on the last pages or upside down. print.css lays them out.
"use strict";

/** @typedef {{sfen: string, title: string, facts: string, picture: string, line: string}} SheetProblem
 *  picture, line: the addresses of the diagram and of the answer's line */

const TsumeSheet = (function () {
  const { make, button, find, addScript } = TsumeDom;
  const { say } = TsumePhrases;
  /** @type {Record<number, [number, number]>} columns and rows by problems a page */
  const LAYOUTS = { 1: [1, 1], 2: [1, 2], 4: [2, 2], 6: [2, 3], 8: [2, 4], 12: [3, 4] };
  const ANSWERS_A_PAGE = 84; // lines of answers, in two columns
  const LINE_LENGTH = 44; // characters in such a line, at least; a Japanese one counts twice
  const PAGE_WIDTH = 815; // of a page with its margins, in pixels
  const PER_PAGE = 6;

  /**
   * Shows the sheet over the page until it is closed.
   * @param {string} heading
   * @param {SheetProblem[]} problems
   */
  function open(heading, problems) {
    const before = document.activeElement;
    const title = make("input", { name: "title", value: heading, maxlength: 80 });
    const most = problems.length;
    const isChosen = document.body.classList.contains("has-chosen"); // one by one: all of them are printed
    const count = make("input", { name: "count", type: "number", min: 1, max: most, value: isChosen ? most : Math.min(PER_PAGE, most) });
    const number = make("select", { name: "per_page" }, ...Object.keys(LAYOUTS).map((one) => make("option", {}, one)));
    const answers = make("select", { name: "answers" }, ...["end", "turned", "none"].map((one) => make("option", { value: one }, say(`web.sheet_${one}`))));
    number.value = String(PER_PAGE);
    const pages = make("div", { class: "sheet-pages" });
    const said = make("p", { role: "status" });
    const tools = make("div", { class: "sheet-tools" },
      make("label", {}, say("web.sheet_title"), title), make("label", {}, say("web.sheet_count", { most }), count),
      make("label", {}, say("web.sheet_per_page"), number), make("label", {}, say("web.sheet_answers"), answers),
      button(say("web.sheet_print"), () => print(), { class: "tp-do" }), button(say("web.sheet_close"), close), said);
    const sheet = make("section", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": say("web.sheet") }, tools, pages);
    /** @type {string[] | null} */
    let lines = null;
    const fit = () => pages.style.setProperty("--fit", String(Math.min(1, innerWidth / PAGE_WIDTH)));

    function show() {
      const some = problems.slice(0, Math.max(1, Number(count.value)));
      pages.replaceChildren(...drawn(title.value, some, Number(number.value), answers.value, lines));
      said.textContent = lines ? say("web.sheet_ready", { number: pages.childElementCount }) : say("web.sheet_loading");
    }

    function close() {
      removeEventListener("resize", fit);
      sheet.remove();
      document.body.classList.remove("has-sheet");
      for (const one of others) one.inert = false;
      if (before instanceof HTMLElement) before.focus();
    }

    number.addEventListener("input", () => { if (!isChosen) count.value = String(Math.min(Number(number.value), most)); });
    sheet.addEventListener("input", show);
    addEventListener("resize", fit);
    sheet.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
    const others = /** @type {HTMLElement[]} */ ([...document.body.children]);
    for (const one of others) one.inert = true;
    document.body.classList.add("has-sheet");
    document.body.append(sheet);
    count.focus();
    fit();
    show();
    Promise.all(problems.map(lineOf)).then((found) => {
      lines = found;
      show();
    });
  }

  // The line of an answer, or that it is not there: on a server a text, on a site beside the tree.
  /** @param {SheetProblem} problem */
  async function lineOf({ sfen, line }) {
    try {
      if (!line.endsWith(".js")) return await TsumeRequests.text(await TsumeRequests.get(line));
      await addScript(line);
      return window.TSUME_LINES?.[sfen] || say("web.failed");
    } catch {
      return say("web.failed");
    }
  }

  /**
   * @param {string} heading
   * @param {SheetProblem[]} problems
   * @param {number} perPage
   * @param {string} place of the answers
   * @param {string[] | null} lines the answers, once they are loaded
   */
  function drawn(heading, problems, perPage, place, lines) {
    const answered = problems.map(({ title }, at) => make("li", {}, make("b", {}, title), ...(lines?.[at] || "…").split(" ").flatMap((move) => [make("span", { class: "move" }, move), " "])));
    const pages = parts(problems, perPage).map((some, at) => page(heading, say("web.sheet_turn"), cards(some, perPage),
      place === "turned" ? [make("ol", { class: "sheet-answers sheet-turned" }, ...answered.slice(at * perPage, (at + 1) * perPage))] : []));
    if (place !== "end") return pages;
    /** @type {HTMLElement[][]} */
    const answerPages = [[]];
    let used = 0;
    for (const item of answered) {
      const needed = Math.ceil((item.textContent || "").replace(/[^\0-\u2e7f]/g, "--").length / LINE_LENGTH);
      if (used && used + needed > ANSWERS_A_PAGE) {
        answerPages.push([]);
        used = 0;
      }
      used += needed;
      answerPages[answerPages.length - 1].push(item);
    }
    return [...pages, ...answerPages.map((some) => page(heading, say("web.sheet_answers"), make("ol", { class: "sheet-answers" }, ...some), []))];
  }

  /** @param {string} heading @param {string} note @param {HTMLElement} content @param {HTMLElement[]} foot */
  function page(heading, note, content, foot) {
    return make("div", { class: "sheet-page" },
      make("p", { class: "sheet-head" }, make("strong", {}, heading), make("span", {}, note)), content, ...foot);
  }

  /** @param {SheetProblem[]} problems @param {number} perPage */
  function cards(problems, perPage) {
    const [columns, rows] = LAYOUTS[perPage];
    const place = make("div", { class: "sheet-cards" }, ...problems.map(({ title, facts, picture }) => (
      make("figure", { class: "sheet-card" }, make("figcaption", {}, make("b", {}, title), " ", facts), make("img", { src: picture, alt: "" })))));
    place.style.setProperty("--columns", String(columns));
    place.style.setProperty("--rows", String(rows));
    return place;
  }

  /** @template Item @param {Item[]} items @param {number} size */
  function parts(items, size) {
    return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
  }

  // The problems that the page lists.
  function listed() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".problems [data-line]"))].map((item) => ({
      sfen: item.dataset.sfen || "", line: item.dataset.line || "",
      title: find(item, ".name").textContent || "", facts: `${find(item, ".facts").textContent} ${find(item, ".stars").textContent}`,
      picture: find(item, "img").getAttribute("src")?.replace("#card", "#book") || "",
    }));
  }

  const offer = /** @type {HTMLElement | null} */ (document.querySelector(".sheet-offer"));
  offer?.append(button(say("web.sheet"), () => open(offer.dataset.title || "", listed())));

  return { open };
})();
