// SPDX-License-Identifier: GPL-3.0-or-later
// Drafts with names on the page to compose on, kept in this browser: a position with its intended solution.
"use strict";

/** @typedef {{name: string, sfen: string, line?: string}} Draft */

const TsumeDrafts = (function () {
  const { make, button, find, keepingFocus } = TsumeDom;
  const { say } = TsumePhrases;
  const { remember, rememberedJson } = TsumeStorage;
  const STORED = "tsume.drafts"; // the key in local storage: a list, the last one that was kept first

  /** @returns {Draft[]} */
  function all() {
    const found = rememberedJson(STORED);
    return Array.isArray(found) ? found.filter((one) => typeof one?.name === "string" && typeof one.sfen === "string") : [];
  }

  // Stores drafts; returns whether the browser kept them.
  /** @param {Draft[]} drafts */
  function store(drafts) {
    remember(STORED, JSON.stringify(drafts));
    return all().length === drafts.length;
  }

  /** @param {HTMLElement} root @param {InstanceType<typeof TsumeComposePage>} page */
  function connect(root, page) {
    const place = find(root, ".tc-drafts");
    const form = find(place, "form", HTMLFormElement);
    const field = find(form, "input", HTMLInputElement);
    const list = find(place, "ul");

    function show() {
      keepingFocus(field, () => list.replaceChildren(...all().map((draft) => make("li", { class: "tc-tools" },
        button(draft.name, () => open(draft)),
        button("✕", () => remove(draft), { "aria-label": say("compose.draft_remove", { name: draft.name }) })))));
    }

    /** @param {Draft} draft */
    function open({ name, sfen, line = "" }) {
      const found = TsumeSfen.readSfen(`${sfen} moves ${line}`);
      if (!found) return;
      const { position, rest, moves } = found;
      page.replace(position, say("compose.draft_opened", { name }), { rest, intended: moves, texts: TsumeComposition.NO_TEXTS });
      field.value = name;
    }

    /** @param {Draft} draft */
    function remove({ name }) {
      store(all().filter((one) => one.name !== name));
      show();
      page.tell(say("compose.draft_removed", { name }));
    }

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const name = field.value.trim();
      if (!name) return;
      const others = all().filter((one) => one.name !== name);
      const isKept = store([{ name, ...page.composition.query }, ...others]);
      show();
      page.tell(say(isKept ? "compose.draft_kept" : "compose.draft_not_kept", { name }));
    });
    addEventListener("storage", ({ key }) => { if (key === STORED) show(); }); // another tab
    show();
  }

  return { connect };
})();
