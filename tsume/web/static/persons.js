// SPDX-License-Identifier: GPL-3.0-or-later
// Signing in and out on a server with several persons.
"use strict";

window.TsumePersons = (function () {
  const { find } = TsumeDom;
  const trainer = /** @type {ServerTrainer} */ (window.TsumeTrainer);
  /** @type {HTMLElement | null} */
  let place = null;

  /** @param {HTMLElement} root @param {() => Promise<void>} refresh called when somebody else is signed in */
  function attach(root, refresh) {
    place = find(root, ".tr-persons");
    const form = find(place, "form", HTMLFormElement);
    const said = find(place, ".tr-sign-said");
    /** @param {() => Promise<unknown>} act */
    const attempt = async (act) => {
      said.textContent = "";
      try {
        await act();
        TsumeAttempts.clear();
        form.reset();
        await refresh();
      } catch (error) {
        said.textContent = error instanceof Error ? error.message : "";
      }
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const values = new FormData(form);
      const isNew = event.submitter?.dataset.act === "sign_up";
      attempt(() => trainer.sign(isNew ? "/api/persons" : "/api/session", String(values.get("name")), String(values.get("passphrase"))));
    });
    find(place, "[data-act=sign_out]").addEventListener("click", () => attempt(() => trainer.signOut()));
  }

  /** @param {Identity} identity */
  function show({ person, sign_up }) {
    if (!place) return;
    find(place, "details").hidden = Boolean(person?.name);
    find(place, "[data-act=sign_out]").hidden = !person?.name;
    find(place, "[data-act=sign_up]").hidden = !sign_up;
  }

  return { attach, show };
})();
