// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that wait for their answer.
"use strict";

/**
 * @typedef {(event: any) => void} OnEvent called with each event of a request that is answered by a stream
 * @typedef {{id: number, kind: string, fields: object, event: OnEvent | null,
 *   resolve: (answer: any) => void, reject: (reason: unknown) => void}} PendingRequest
 */

const TsumePending = (function () {
  /**
   * A request whose fields are those that have a value.
   * @param {PendingRequest} request
   * @returns {PendingRequest}
   */
  function pendingRequest(request) {
    const fields = Object.fromEntries(Object.entries(request.fields).filter(([, value]) => value !== undefined));
    return { ...request, fields };
  }

  /**
   * Let a signal abort a request until it is settled.
   * @param {PendingRequest} request
   * @param {AbortSignal | undefined} signal
   * @param {(reason: unknown) => void} abort
   */
  function listen(request, signal, abort) {
    if (!signal) return;
    const { resolve, reject } = request;
    const act = () => abort(signal.reason);
    const release = () => signal.removeEventListener("abort", act);
    request.resolve = (answer) => { release(); resolve(answer); };
    request.reject = (reason) => { release(); reject(reason); };
    signal.addEventListener("abort", act);
  }

  function abortError() {
    return new DOMException("the request was stopped", "AbortError");
  }

  return { pendingRequest, listen, abortError };
})();
