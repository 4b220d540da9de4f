// SPDX-License-Identifier: GPL-3.0-or-later
// Serves a site that was visited when there is no network. TSUME_SITE is written into this script (installing.py).
//
// A page that was not visited is replaced by the page for that, in its language.
//
// Addresses with a version are taken from the cache first, everything else from the network first.
"use strict";

(function () {
  const worker = /** @type {SiteWorker} */ (/** @type {unknown} */ (self));
  const scope = worker.registration.scope;
  const prefix = `tsume ${scope} `; // other sites may share the origin
  const name = prefix + TSUME_SITE.version;

  worker.addEventListener("install", (event) => {
    event.waitUntil(fill().then(() => worker.skipWaiting()));
  });

  worker.addEventListener("activate", (event) => {
    event.waitUntil(removeOld().then(() => worker.clients.claim()));
  });

  // A page names what it loaded before it was served from here.
  worker.addEventListener("message", (event) => {
    const addresses = /** @type {string[]} */ (event.data).filter((address) => address.startsWith(scope));
    event.waitUntil(Promise.all(addresses.map(keep)));
  });

  worker.addEventListener("fetch", (event) => {
    const { method, url } = event.request;
    if (method === "GET" && url.startsWith(scope)) event.respondWith(answer(event.request));
  });

  async function fill() {
    const cache = await caches.open(name);
    await Promise.all(TSUME_SITE.files.map(async (file) => {
      const response = await fetch(file, { cache: "reload" });
      if (!response.ok) throw new Error(`${file}: ${response.status}`);
      await cache.put(file, response.redirected ? new Response(response.body, response) : response); // a page may not be redirected
    }));
  }

  async function removeOld() {
    const old = (await caches.keys()).filter((one) => one.startsWith(prefix) && one !== name);
    await Promise.all(old.map((one) => caches.delete(one)));
  }

  /** @param {string} address */
  async function keep(address) {
    const cache = await caches.open(name);
    if (!await cache.match(address)) await cache.add(address).catch(() => {}); // it is kept on the next visit
  }

  /** @param {Request} request */
  async function answer(request) {
    const cache = await caches.open(name);
    const isVersioned = new URL(request.url).searchParams.has("v");
    const kept = isVersioned ? await cache.match(request) : undefined;
    return kept || fromNetwork(cache, request);
  }

  // The page for composing has its position in the query: it is one page all the same.
  /** @param {string} address */
  function withoutQuery(address) {
    const { origin, pathname, search, searchParams } = new URL(address);
    return origin + pathname + (searchParams.has("v") ? search : "");
  }

  /** @param {Cache} cache @param {Request} request */
  async function fromNetwork(cache, request) {
    try {
      const response = await fetch(request);
      if (response.status === 200) await cache.put(withoutQuery(request.url), response.clone());
      return response;
    } catch (error) {
      const address = request.url.replace(/\/(?=$|[?#])/, "/index.html"); // that of a folder is its first page
      const kept = await cache.match(request.url, { ignoreSearch: true }) || await cache.match(address, { ignoreSearch: true });
      if (kept) return kept;
      if (request.mode === "navigate") return Response.redirect(scope + folderOf(request.url) + TSUME_SITE.offline);
      throw error;
    }
  }

  // The folder of a page's language, relative to the site: that of the first language is the site itself.
  /** @param {string} address */
  function folderOf(address) {
    return TSUME_SITE.folders.find((folder) => folder && address.startsWith(scope + folder)) || "";
  }
})();
