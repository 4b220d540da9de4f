// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of the page to compose on: an SFEN to read, constraints for new problems, a problem to save.
"use strict";

const TsumeComposeForms = (function () {
  const { find, enable } = TsumeDom;
  const { say } = TsumePhrases;
  const { remember, remembered } = TsumeStorage;
  const AUTHOR = "tsume.author"; // the key in local storage

  /**
   * @param {HTMLElement} root
   * @param {(text: string) => void} read
   */
  function connectText(root, read) {
    onSubmit(root, "text", (form) => read(value(form, "text")));
    submitByEnter(find(root, "#text", HTMLTextAreaElement));
  }

  /**
   * @param {HTMLElement} root
   * @param {(constraints: object) => void} generate
   */
  function connectGenerate(root, generate) {
    onSubmit(root, "generate", (form) => generate(constraints(form)));
  }

  /**
   * @param {HTMLElement} root
   * @param {(texts: Record<string, string>) => Promise<Node>} save
   */
  function connectSave(root, save) {
    onSubmit(root, "save", (form) => saveWith(form, find(root, ".tc-saved"), save));
    field(find(root, "[data-form=save]"), "author").value = remembered(AUTHOR) || "";
  }

  /**
   * @param {HTMLElement} root
   * @param {string} name
   * @param {(form: HTMLElement) => void} act
   */
  function onSubmit(root, name, act) {
    const form = find(root, `[data-form=${name}]`);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      act(form);
    });
  }

  /**
   * Enter submits a text of one line, Ctrl-Enter any text.
   * @param {HTMLTextAreaElement} area
   */
  function submitByEnter(area) {
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.shiftKey) return;
      if (area.value.trim().includes("\n") && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      area.form?.requestSubmit();
    });
  }

  /**
   * Enters the texts that came with a problem in the form to save it, if there is one; those that it lacks stay.
   * @param {HTMLElement} root
   * @param {Record<"title" | "author" | "comment", string>} texts
   */
  function fill(root, texts) {
    const form = /** @type {HTMLElement | null} */ (root.querySelector("[data-form=save]"));
    if (!form) return;
    for (const name of /** @type {const} */ (["title", "author", "comment"])) {
      if (texts[name]) field(form, name).value = texts[name];
    }
  }

  /**
   * An input, a select or a text area; only what they have in common is used.
   * @param {HTMLElement} root
   * @param {string} name
   */
  function field(root, name) {
    return /** @type {HTMLInputElement} */ (find(root, `[name=${name}]`));
  }

  /**
   * @param {HTMLElement} root
   * @param {string} name
   */
  function value(root, name) {
    return field(root, name).value;
  }

  /** @param {HTMLElement} form */
  function constraints(form) {
    /** @type {Record<string, unknown>} */
    const given = { moves: Number(value(form, "moves")), count: Number(value(form, "count")), natural: field(form, "natural").checked };
    for (const name of ["pieces", "stars"]) if (value(form, name)) given[name] = Number(value(form, name));
    for (const name of ["line", "last", "mate_on"]) if (value(form, name).trim()) given[name] = value(form, name).trim();
    if (value(form, "themes")) given.themes = [value(form, "themes")];
    return given;
  }

  // The author for a problem that is saved.
  /** @param {HTMLElement} root */
  function author(root) {
    return value(find(root, "[data-form=save]"), "author");
  }

  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} message
   * @param {(texts: Record<string, string>) => Promise<Node>} save
   */
  async function saveWith(form, message, save) {
    remember(AUTHOR, value(form, "author"));
    message.textContent = say("compose.saving");
    const submit = find(form, "button");
    enable(submit, false);
    try {
      message.replaceChildren(await save({
        title: value(form, "title").trim(), author: value(form, "author").trim(), comment: value(form, "comment").trim(),
      }));
    } catch (error) {
      message.textContent = say("web.failed");
      throw error;
    } finally {
      enable(submit, true);
    }
  }

  return { connectText, connectGenerate, connectSave, author, value, fill };
})();
