// The forms of the page to compose on: an SFEN to read, constraints for new problems, a problem to save.
"use strict";

const TsumeComposeForms = (function () {
  const { find } = TsumeDom;
  const { say } = TsumePhrases;
  const { remember, remembered } = TsumeStorage;
  const AUTHOR = "tsume.author"; // the key in local storage

  /**
   * @param {HTMLElement} root
   * @param {{
   *   read: (text: string) => void, generate: (constraints: object) => void,
   *   save: (texts: Record<string, string>) => Promise<Node>,
   * }} actions
   */
  function connect(root, { read, generate, save }) {
    onSubmit(root, "sfen", (form) => read(value(form, "sfen")));
    onSubmit(root, "generate", (form) => generate(constraints(form)));
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
    const submit = find(form, "button", HTMLButtonElement);
    submit.disabled = true;
    try {
      message.replaceChildren(await save({
        title: value(form, "title").trim(), author: value(form, "author").trim(), comment: value(form, "comment").trim(),
      }));
    } catch (error) {
      message.textContent = say("web.failed");
      throw error;
    } finally {
      submit.disabled = false;
    }
  }

  return { connect, author, value };
})();
