// What several scripts of a page need: its words, elements, files for a person, a memory that may be forbidden.
"use strict";

(function () {
  const language = document.documentElement.lang;

  function say(name, parts = {}) {
    return window.TSUME_WORDS[language][name].replace(/\{(\w+)\}/g, (_, part) => parts[part]);
  }

  // An element by name, its class, and what it holds (texts stay texts).
  function element(name, className = "", ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function button(text, act) {
    const made = element("button", "", text);
    made.type = "button";
    made.addEventListener("click", act);
    return made;
  }

  function download(blob, name) {
    const link = element("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function remember(name, text) {
    try {
      localStorage.setItem(name, text);
    } catch { /* it is forgotten then */ }
  }

  // null for what is not remembered.
  function remembered(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  function forget(name) {
    try {
      localStorage.removeItem(name);
    } catch { /* there was nothing */ }
  }

  window.TsumeShared = { language, say, element, button, download, remember, remembered, forget };
})();
