// SPDX-License-Identifier: GPL-3.0-or-later
// Classes on the page of training: a teacher sees what the pupils did, a pupil has the list of a class to start.
"use strict";

window.TsumeClasses = (function () {
  const { make, find, button } = TsumeDom;
  const { say, language, starsOf } = TsumePhrases;
  const { get, post, remove, json } = TsumeRequests;
  const MAX_UNFOLDED = 30; // problems of a list whose results are seen at once
  /** @type {HTMLElement | null} */
  let place = null;
  const starts = make("div", { class: "tr-starts" });
  let play = (/** @type {number[]} */ _ids, /** @type {string} */ _title) => {};
  let pattern = ""; // the address of a problem, with 0 for its number
  let [asker, shown] = ["", ""]; // the name of the person, and the classes as they were sent

  /** @param {HTMLElement} root @param {(ids: number[], title: string) => void} start plays a list */
  function attach(root, start) {
    [place, play, pattern] = [find(root, ".tr-classes"), start, find(root, ".player").dataset.page || ""];
    find(root, ".tr-modes").before(starts);
    place.addEventListener("submit", async (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !form.dataset.act) return;
      event.preventDefault();
      const { name, passphrase } = Object.fromEntries(new FormData(form));
      const address = form.dataset.act === "open" ? "/api/classes" : "/api/classes/pupils";
      if (!await attempt(() => post(address, { name, passphrase }))) return;
      form.reset();
      form.closest("details")?.removeAttribute("open");
    });
  }

  // The fields and the classes are there only while a person is signed in.
  /** @param {Identity} identity */
  async function show({ person }) {
    if (!place) return;
    asker = person?.name || "";
    place.hidden = !asker;
    const fields = find(place, "template", HTMLTemplateElement);
    if (!asker) {
      place.replaceChildren(fields);
      starts.replaceChildren();
      shown = "";
      return;
    }
    if (!place.querySelector(".tr-class-list")) place.append(fields.content.cloneNode(true));
    await attempt(() => get("/api/classes"));
  }

  // Shows the classes that a request brings, or why there are none.
  /** @param {() => Promise<Response>} request */
  async function attempt(request) {
    if (!place || !asker) return false;
    const [said, before] = [find(place, ".tr-class-said"), asker];
    said.textContent = "";
    try {
      const { classes } = await json(await request());
      if (before === asker) update(classes); // else somebody else is signed in now
      return true;
    } catch (error) {
      const code = error instanceof TsumeErrors.RequestError ? error.answer.code || "" : "";
      const isKnown = `classroom.fault_${code}` in TSUME_WORDS[language];
      said.textContent = isKnown ? say(`classroom.fault_${code}`) : error instanceof Error ? error.message : "";
      said.scrollIntoView({ block: "nearest" });
      return false;
    }
  }

  /** @param {TrainingClass[]} classes */
  function update(classes) {
    if (!place) return;
    const text = JSON.stringify([asker, classes]);
    if (text === shown) return; // what is being typed stays
    shown = text;
    const list = find(place, ".tr-class-list");
    const unfolded = [...list.querySelectorAll("details[open]")].map((one) => one.id);
    TsumeDom.keepingFocus(find(place, ":scope > details > summary"), () => {
      starts.replaceChildren(...classes.filter(({ teaches, problems }) => !teaches && problems.length).map(starting));
      list.replaceChildren(...classes.map((one) => make("article", {}, make("h3", {}, one.name), ...(one.teaches ? taught : joined)(one))));
    });
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  }

  /** @param {TrainingClass} one */
  const titleOf = ({ title }) => title || say("classroom.list_untitled");
  /** @param {ClassPupil["list"]} list */
  const solvedIn = (list) => list.filter((came) => came === "solved" || came === "helped").length;

  // The way to begin the list of a class, or to go on with what is not solved.
  /** @param {TrainingClass} one */
  function starting(one) {
    const { list } = one.pupils[0];
    const left = one.problems.filter((_, place_) => list[place_] === "open" || list[place_] === "failed");
    const made = button("", () => play(left.length ? left : one.problems, titleOf(one)));
    made.append(make("strong", {}, titleOf(one)), make("span", {}, say("classroom.list_left", { class: one.name, count: list.length, done: solvedIn(list) })));
    return made;
  }

  /** @param {TrainingClass} one */
  function joined(one) {
    const { id, name, teacher, pupils } = one;
    const leave = () => confirm(say("classroom.leave_question", { class: name })) && attempt(() => remove(`/api/classes/${id}/pupils/${pupils[0].id}`));
    return [make("p", {}, say("classroom.taught_by", { teacher })), ...outcomes(one), make("p", { class: "tr-acts" }, button(say("classroom.leave"), leave))];
  }

  /** @param {TrainingClass} one */
  function taught(one) {
    const { id, name, pupils } = one;
    const close = () => confirm(say("classroom.close_question", { class: name })) && attempt(() => remove(`/api/classes/${id}`));
    const removing = pupils.map(({ id: pupil, name: called }) => button(say("classroom.remove", { name: called }),
      () => confirm(say("classroom.remove_question", { name: called })) && attempt(() => remove(`/api/classes/${id}/pupils/${pupil}`))));
    return [
      make("p", {}, say("classroom.own", { count: pupils.length })),
      pupils.length ? table(pupils) : make("p", {}, say("classroom.no_pupils")),
      ...outcomes(one),
      make("details", { id: `tr-class-${id}` }, make("summary", {}, say("classroom.manage")), listForm(one),
        make("p", { class: "tr-acts" }, ...removing), make("p", { class: "tr-acts" }, button(say("classroom.close"), close))),
    ];
  }

  /** @param {ClassPupil[]} pupils */
  function table(pupils) {
    const head = (/** @type {string} */ text, /** @type {Attributes} */ attributes = {}) => make("th", { scope: "col", ...attributes }, text);
    const dates = new Intl.DateTimeFormat(language, { month: "numeric", day: "numeric" });
    return make("table", { class: "tr-table tr-pupils" },
      make("thead", {},
        make("tr", {}, head(say("classroom.pupil"), { rowspan: 2 }), head(say("classroom.week"), { colspan: 3, scope: "colgroup" }), head(say("classroom.last"), { rowspan: 2 })),
        make("tr", {}, head(say("training.tried")), head(say("training.solved")), head(say("classroom.failed")))),
      make("tbody", {}, ...pupils.map(({ name, rating, deviation, stars, tried, solved, failed, last }) => make("tr", {},
        make("th", { scope: "row" }, name, make("small", {}, `${rating} ± ${deviation} `, starsOf(stars))),
        ...[tried, solved, failed, last ? dates.format(new Date(last)) : "–"].map((value) => make("td", {}, String(value)))))));
  }

  // What came of the problems of the list, by pupil.
  /** @param {TrainingClass} one */
  function outcomes(one) {
    const { id, problems, pupils, teaches } = one;
    if (!problems.length) return [];
    const words = { solved: say("training.run_solved"), helped: say("training.run_helped"), failed: say("training.run_failed"), open: say("classroom.not_tried") };
    const marks = (/** @type {ClassPupil} */ { name, list }) => make("li", {},
      ...(teaches ? [make("strong", {}, name)] : []), make("span", { class: "tr-done" }, `${solvedIn(list)} / ${list.length}`),
      ...list.map((came, index) => {
        const about = `${say("web.number", { id: problems[index] })} ${words[came]}`;
        return make("a", { class: `tr-${came}`, href: pattern.replace(/\b0\b/, String(problems[index])), title: about, "aria-label": about },
          `${problems[index]} `, make("span", { class: "tr-came" }, words[came].slice(0, 1)));
      }));
    return [make("details", { id: `tr-list-${id}`, ...(problems.length > MAX_UNFOLDED ? {} : { open: "" }) },
      make("summary", {}, say("training.list_of", { list: titleOf(one), count: problems.length })),
      make("ul", { class: "tr-marks" }, ...pupils.map(marks)), make("p", { class: "tr-signs" }, Object.values(words).join("  ")))];
  }

  // The list as numbers, or as an address that has them (training.js and list.js).
  /** @param {TrainingClass} one */
  function listForm({ id, title, problems }) {
    const [titled, listed] = [make("input", { maxlength: 200, value: title }), make("input", { class: "tr-ids", value: problems.join(", ") })];
    const form = make("form", { class: "filter" }, make("label", {}, say("classroom.list_title"), titled), make("label", {}, say("classroom.list_ids"), listed),
      make("button", {}, say("classroom.list_set")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const found = listed.value.indexOf("list=");
      const given = new URLSearchParams(found < 0 ? { list: listed.value } : listed.value.slice(found));
      const ids = [...new Set((given.get("list") || "").normalize("NFKC").match(/\d+/g))].map(Number);
      attempt(() => post(`/api/classes/${id}/list`, { title: titled.value || given.get("title") || "", ids }));
    });
    return form;
  }

  return { attach, show };
})();
