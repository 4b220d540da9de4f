// What a person solved: kept in this browser only, in local storage, newest last.
"use strict";

(function () {
  const { remember, remembered } = window.TsumeShared;
  const KEY = "tsume.results";
  const MOST = 5000;
  const FIELDS = ["solved", "problem", "sfen", "moves", "seconds", "mistakes", "hints"];

  function all() {
    try {
      const kept = JSON.parse(remembered(KEY) || "[]");
      return Array.isArray(kept) ? kept.filter((one) => one && typeof one.sfen === "string") : [];
    } catch {
      return []; // it was spoilt
    }
  }

  function add(result) {
    const kept = [...all(), { solved: new Date().toISOString(), ...result }].slice(-MOST);
    remember(KEY, JSON.stringify(kept));
  }

  function forget() {
    window.TsumeShared.forget(KEY);
  }

  // How many problems were last solved without mistake and hint; one that is solved again counts once.
  function streak() {
    const results = all().reverse();
    const end = results.findIndex(({ mistakes, hints }) => mistakes || hints);
    const clean = end < 0 ? results : results.slice(0, end);
    return new Set(clean.map(({ sfen }) => sfen)).size;
  }

  function csv() {
    const cell = (value) => (/^[\w.:+-]*$/.test(value) && !/^[+-]/.test(value) ? value : `"${value.replaceAll('"', '""')}"`);
    const row = (result) => FIELDS.map((name) => cell(String(result[name] ?? ""))).join(",");
    return [FIELDS.join(","), ...all().map(row)].join("\r\n") + "\r\n";
  }

  window.TsumeResults = { all, add, forget, streak, csv };
})();
