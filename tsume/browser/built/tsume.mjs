// SPDX-License-Identifier: GPL-3.0-or-later
// tsume.js for ES modules. That is CommonJS in Node.js, in a page a script which defines Tsume.
import * as script from "./tsume.js";

/** @typedef {typeof import("./tsume.d.ts")} Api */
const { Tsume: defined } = /** @type {{Tsume?: Api}} */ (globalThis);
const Tsume = /** @type {Api} */ (/** @type {{default?: unknown}} */ (script).default ?? defined);
if (Tsume === defined) {
  Tsume.workerAddress ??= new URL("tsume-worker.js", import.meta.url).href;
  Tsume.networkAddress ??= new URL("tsume-network.js", import.meta.url).href;
}

export const { Solver, TsumeError, version } = Tsume;
export default Tsume;
