// SPDX-License-Identifier: GPL-3.0-or-later
// Shorthands for elements: create them, find them, and let the user download a file.
"use strict";

/** @typedef {Record<string, string | number>} Attributes */

const TsumeDom = (function () {
  const SVG = "http://www.w3.org/2000/svg";

  /**
   * An HTML element with attributes and children.
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {Attributes} [attributes]
   * @param {...(Node | string)} children
   * @returns {HTMLElementTagNameMap[Name]}
   */
  function make(name, attributes = {}, ...children) {
    return filled(document.createElement(name), attributes, children);
  }

  /**
   * An SVG element with attributes and children.
   * @param {keyof SVGElementTagNameMap} name
   * @param {Attributes} attributes
   * @param {...Node} children
   * @returns {SVGElement}
   */
  function svg(name, attributes, ...children) {
    return filled(document.createElementNS(SVG, name), attributes, children);
  }

  /**
   * @template {Element} Made
   * @param {Made} element
   * @param {Attributes} attributes
   * @param {(Node | string)[]} children
   */
  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
  }

  /** @param {string} text @param {() => unknown} act @param {Attributes} [attributes] */
  function button(text, act, attributes = {}) {
    const made = make("button", { type: "button", ...attributes }, text);
    made.addEventListener("click", act);
    return made;
  }

  /**
   * The first element that matches a selector. The pages have everything that the scripts look for.
   * @template {HTMLElement} Found
   * @param {ParentNode} root
   * @param {string} selector
   * @param {new () => Found} [type]
   * @returns {Found}
   */
  function find(root, selector, type = /** @type {any} */ (HTMLElement)) {
    const found = root.querySelector(selector);
    if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
    return found;
  }

  /**
   * The element that an event comes from, or the nearest one around it, that matches a selector.
   * @param {Event} event
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  function closest(event, selector) {
    return event.target instanceof Element ? event.target.closest(selector) : null;
  }

  /** @param {Blob} blob @param {string} name */
  function download(blob, name) {
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /**
   * Loads a script; pages opened as files can load nothing else. Rejects if it cannot be loaded.
   * @param {string} address
   * @returns {Promise<void>}
   */
  function addScript(address) {
    return new Promise((resolve, reject) => {
      const script = make("script", { src: address });
      script.async = false; // several are loaded at the same time, run in their order
      script.addEventListener("load", () => resolve());
      script.addEventListener("error", () => reject(new Error(`${address} cannot be loaded`)));
      document.head.append(script);
    });
  }

  /** @param {string} addresses of scripts, separated by spaces */
  function addScripts(addresses) {
    return Promise.all(addresses.trim().split(" ").map(addScript));
  }

  // Whether an event comes from a field in which letters are typed or chosen: there they are no commands.
  /** @param {Event} event */
  function isTyping(event) {
    return closest(event, "input:not([type=checkbox]), textarea, select") !== null;
  }

  /**
   * Enables a button or disables it. A disabled one keeps the focus; the page ignores its clicks.
   * @param {HTMLElement} place
   * @param {boolean} enabled
   */
  function enable(place, enabled) {
    if (enabled) place.removeAttribute("aria-disabled");
    else place.setAttribute("aria-disabled", "true");
  }

  /**
   * Makes a change; if it removes the focused element, another place gets the focus.
   * @param {HTMLElement} place
   * @param {() => void} change
   */
  function keepingFocus(place, change) {
    const focused = document.activeElement;
    change();
    if (focused && !focused.isConnected) place.focus({ preventScroll: true });
  }

  return { make, svg, button, find, closest, isTyping, download, addScript, addScripts, enable, keepingFocus };
})();
