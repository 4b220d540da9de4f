// SPDX-License-Identifier: GPL-3.0-or-later
// The offer of the collection on the list of an empty store.
"use strict";

(function () {
  const { say } = TsumePhrases;
  const { find } = TsumeDom;
  const place = find(document, ".offer");
  const add = /** @type {HTMLButtonElement} */ (find(place, "button"));
  const status = find(place, "[role=status]");

  add.addEventListener("click", async () => {
    add.disabled = true;
    status.textContent = say("web.adding_collection");
    try {
      await TsumeRequests.post("/api/collection", {});
      location.reload();
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error);
      add.disabled = false;
    }
  });
})();
