// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a site on the web installable: its manifest and its service worker. Pages opened as files need neither.
"use strict";

(function () {
  const { manifest = "", worker = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
  if (!location.protocol.startsWith("http")) return; // from a file browsers refuse a manifest
  const link = document.createElement("link");
  link.rel = "manifest";
  link.href = manifest;
  document.head.append(link);
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    navigator.serviceWorker.register(worker).catch(() => {}); // the site works without it
    navigator.serviceWorker.ready.then(({ active }) => active?.postMessage(loaded()));
  });

  // This page and what it has loaded.
  function loaded() {
    return [location.href.split(/[?#]/)[0], ...performance.getEntriesByType("resource").map(({ name }) => name)];
  }
})();
