// SPDX-License-Identifier: GPL-3.0-or-later
// Where the page to compose on keeps its position: in its address, and in local storage for the next visit.
"use strict";

const TsumeComposeAddress = (function () {
  const { readSfen, formatSfen } = TsumeSfen;
  const { language } = TsumePhrases;
  const { remember, remembered } = TsumeStorage;
  const FIRST = "4k4/9/9/9/9/9/9/9/9 b - 1";
  const STORED = "tsume.compose"; // the key in local storage
  const MAX_LENGTH = 2000; // characters of an address, somewhat fewer than the server accepts
  const RETRY_AFTER = 10_000; // milliseconds
  /** @type {number | undefined} */
  let retry;

  /**
   * The position to start with: of the address, or else the last one. `quiet`: no verdict is to be shown on it yet.
   * `isInvalid`: the address has an SFEN that cannot be read.
   */
  function start() {
    const query = new URLSearchParams(location.search);
    const sfen = query.get("sfen");
    const given = sfen ? readSfen(`${sfen} moves ${query.get("line") || ""}`) : null;
    const last = readSfen(remembered(STORED) || FIRST) || /** @type {ReadSfen} */ (readSfen(FIRST));
    const found = given || last;
    const isLast = formatSfen(found.position) === formatSfen(last.position);
    const moves = isLast && !query.has("line") ? last.moves : found.moves; // a long line is in the storage only
    return { found: { ...found, moves }, quiet: query.has("quiet") && given !== null, isInvalid: sfen !== null && !given };
  }

  /** @param {JudgementQuery} query */
  function store({ sfen, line = "" }) {
    remember(STORED, `${sfen} moves ${line}`);
  }

  /**
   * The page with a position; a line that is too long for an address is left out.
   * @param {JudgementQuery} query
   * @param {string} lang
   * @param {boolean} quiet
   */
  function address(query, lang, quiet) {
    const parameters = new URLSearchParams({ ...query, lang });
    if (quiet) parameters.set("quiet", "1");
    if (location.pathname.length + `?${parameters}`.length > MAX_LENGTH) parameters.delete("line");
    return `?${parameters}`;
  }

  /**
   * Sets the address of the page and of its other language. Browsers refuse an address that changes too often: then it
   * is set later.
   * @param {JudgementQuery} query
   * @param {boolean} quiet
   */
  function update(query, quiet) {
    clearTimeout(retry);
    try {
      history.replaceState(null, "", address(query, language, quiet));
    } catch {
      retry = setTimeout(() => update(query, quiet), RETRY_AFTER);
    }
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("header a[hreflang]"))) {
      link.search = address(query, link.hreflang, quiet);
    }
  }

  return { start, store, address, update };
})();
