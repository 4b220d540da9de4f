// SPDX-License-Identifier: GPL-3.0-or-later
// The settings as they are chosen, folded away: a list for each look, a box to tick for the others.
"use strict";

const TsumeSettingsView = (function () {
  const { make } = TsumeDom;
  const { say } = TsumePhrases;

  function panel() {
    const fields = [
      list("board", say("web.board_setting"), (value) => say(`web.board_${value}`)),
      list("pieces", say("web.pieces_setting"), (value) => say(`web.pieces_${value}`)),
      box("destinations", say("web.destinations_setting")),
      box("movement", say("web.movement_setting")),
      box("sound", say("web.sound_setting")),
    ];
    return make("details", { class: "tp-settings" },
      make("summary", {}, say("web.settings")), make("div", { class: "tp-choices" }, ...fields));
  }

  /** @param {Setting} name @param {string} label @param {(value: string) => string} text */
  function list(name, label, text) {
    const options = TsumeSettings.choices(name).map((value) => make("option", { value }, text(value)));
    const made = make("select", { "data-setting": name }, ...options);
    made.value = TsumeSettings.get(name);
    made.addEventListener("change", () => TsumeSettings.set(name, made.value));
    return make("label", {}, label, " ", made);
  }

  /** @param {Setting} name @param {string} label */
  function box(name, label) {
    const made = make("input", { type: "checkbox", "data-setting": name });
    made.checked = TsumeSettings.get(name) === "on";
    made.addEventListener("change", () => TsumeSettings.set(name, made.checked ? "on" : "off"));
    return make("label", {}, made, " ", label);
  }

  return { panel };
})();
