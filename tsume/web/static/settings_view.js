// The settings as they are chosen, folded away: a list for each look, a box to tick for movement and sound.
"use strict";

const TsumeSettingsView = (function () {
  const { make } = TsumeDom;
  const { say } = TsumePhrases;

  function panel() {
    const fields = [list("board"), list("pieces"), box("movement"), box("sound")];
    return make("details", { class: "tp-settings" },
      make("summary", {}, say("web.settings")), make("div", { class: "tp-choices" }, ...fields));
  }

  /** @param {Setting} name */
  function list(name) {
    const options = TsumeSettings.choices(name).map((value) => make("option", { value }, say(`web.${name}_${value}`)));
    const made = make("select", { "data-setting": name }, ...options);
    made.value = TsumeSettings.get(name);
    made.addEventListener("change", () => TsumeSettings.set(name, made.value));
    return make("label", {}, say(`web.${name}_setting`), " ", made);
  }

  /** @param {Setting} name */
  function box(name) {
    const made = make("input", { type: "checkbox", "data-setting": name });
    made.checked = TsumeSettings.get(name) === "on";
    made.addEventListener("change", () => TsumeSettings.set(name, made.checked ? "on" : "off"));
    return make("label", {}, made, " ", say(`web.${name}_setting`));
  }

  return { panel };
})();
