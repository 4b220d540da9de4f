// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of the worker program. What it calls is TsumeProgram, which stands before it: start() makes the
// solver ready, answer() answers one request, events() answers one by a stream (and reports those events that do
// not wait for a step to end), network() takes the network. It receives {start: {memory, module}}, then a message
// {id, kind, fields, stream} for each request, and {network: {layout, data}} before one that needs it.
"use strict";

(function () {
  /**
   * @typedef {{memory: number, module: string | WebAssembly.Module}} StartMessage
   *   module: compressed by gzip, as base64; or compiled
   * @typedef {{layout: NetworkLayout, data: string}} NetworkMessage data: compressed by gzip, as base64
   */

  const port = typeof postMessage === "function" ? null
    : /** @type {NodePort} */ (process?.getBuiltinModule?.("node:worker_threads").parentPort);
  /** @type {(message: unknown) => void} */
  const post = port ? (message) => port.postMessage(message) : (message) => self.postMessage(message);
  /** @type {Promise<void> | null} */
  let preparing = null; // until it settles, requests wait

  /**
   * @param {{start?: StartMessage, network?: NetworkMessage,
   *   id?: number, kind?: string, fields?: Record<string, unknown>, stream?: boolean}} message
   */
  function receive({ start, network, id = 0, kind = "", fields = {}, stream = false }) {
    if (start) prepare(begin(start));
    else if (network) prepare(take(network));
    else if (preparing) preparing.then(() => reply(id, kind, fields, stream), () => {});
    else reply(id, kind, fields, stream);
  }

  /** @param {Promise<void>} work */
  function prepare(work) {
    preparing = work.then(() => { preparing = null; });
    preparing.catch((error) => post({ error: told(error), broken: true }));
  }

  /** @param {StartMessage} message */
  async function begin({ memory, module: given }) {
    // in an idle worker of WebKit, the promise of WebAssembly.compile may not settle
    const module = typeof given === "string" ? new WebAssembly.Module(await decompressed(given)) : given;
    await TsumeProgram.start({ memory, module });
    post({ ready: true });
    if (module !== given) keep(module);
  }

  /** @param {NetworkMessage} message */
  async function take({ layout, data }) {
    TsumeProgram.network(layout, new Uint8Array(await decompressed(data)));
  }

  /**
   * @param {number} id
   * @param {string} kind
   * @param {Record<string, unknown>} fields
   * @param {boolean} stream
   */
  function reply(id, kind, fields, stream) {
    try {
      post({ id, answer: stream ? posted(id, kind, fields) : TsumeProgram.answer(kind, fields) });
    } catch (error) {
      post({ id, error: told(error), broken: isFault(error) });
    }
  }

  /**
   * Post each event as it comes. The answer to a request with a stream is null.
   * @param {number} id
   * @param {string} kind
   * @param {Record<string, unknown>} fields
   */
  function posted(id, kind, fields) {
    /** @param {unknown} event */
    const report = (event) => post({ id, event });
    for (const event of TsumeProgram.events(kind, fields, report)) report(event);
    return null;
  }

  // The page gives the compiled module to the next worker, which compiles its own where none can be sent.
  /** @param {WebAssembly.Module} module */
  function keep(module) {
    try {
      post({ compiled: module });
    } catch {} // eslint-disable-line no-empty
  }

  // Whether an error says nothing of the input: a kernel trapped, the stack overflowed, or a script is wrong.
  /** @param {unknown} error */
  function isFault(error) {
    const faults = [WebAssembly.RuntimeError, RangeError, TypeError, ReferenceError];
    if (!(error instanceof Error) || error.name === "InternalError") return true;
    return faults.some((one) => error instanceof one);
  }

  /** @param {unknown} error */
  function told(error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { name, message };
  }

  // The bytes are written by hand: in a page that is opened as a file WebKit reads no Blob.
  /** @param {string} text */
  async function decompressed(text) {
    const { readable, writable } = new DecompressionStream("gzip");
    const writer = writable.getWriter();
    const written = Promise.all([writer.write(bytesOfBase64(text)), writer.close()]);
    const [content] = await Promise.all([new Response(readable).arrayBuffer(), written]);
    return content;
  }

  /**
   * @param {string} text
   * @returns {Uint8Array<ArrayBuffer>}
   */
  function bytesOfBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    if (typeof Buffer !== "undefined") return Buffer.from(text, "base64");
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let i = 0; i < characters.length; i += 1) bytes[i] = characters.charCodeAt(i);
    return bytes;
  }

  // A module that cannot be received: the page sends it as text.
  function refuse() {
    post({ error: { name: "Error", message: "the worker received no module" }, broken: true });
  }

  if (port) {
    port.on("message", receive);
    port.on("messageerror", refuse);
  } else {
    self.onmessage = ({ data }) => receive(data);
    self.onmessageerror = refuse;
  }
})();
