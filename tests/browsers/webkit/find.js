// SPDX-License-Identifier: GPL-3.0-or-later
// Finds elements as Playwright's locators do. Evaluated in front of each command that needs elements.
"use strict";

/**
 * @typedef {{text: string, isExact: boolean} | {pattern: string, flags: string} | null} Wanted
 * @typedef {{by: string, value: string, wanted: Wanted, level: number | null, index: number}} Step
 */

const TsumeFind = (function () {
  const ROLES = {
    button: "button, input[type=button], input[type=submit], [role=button]",
    dialog: "dialog, [role=dialog]",
    group: "fieldset, details, [role=group]",
    heading: "h1, h2, h3, h4, h5, h6, [role=heading]",
    link: "a[href], [role=link]",
    status: "output, [role=status]",
    textbox: "input:not([type]), input[type=text], input[type=search], textarea, [role=textbox]",
  };
  const NAMED_BY_CONTENT = "button, a, h1, h2, h3, h4, h5, h6, [role=button], [role=link], [role=gridcell]";

  /** @param {string | null | undefined} text */
  function normal(text) {
    return (text || "").replace(/[\s\u200b]+/g, " ").trim();
  }

  /** @param {string} text @param {Wanted} wanted */
  function fits(text, wanted) {
    if (!wanted) return true;
    if ("pattern" in wanted) return new RegExp(wanted.pattern, wanted.flags).test(text);
    if (wanted.isExact) return text === normal(wanted.text);
    return text.toLowerCase().includes(normal(wanted.text).toLowerCase());
  }

  /** @param {Element} element */
  function isVisible(element) {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  }

  /** @param {Element} element */
  function isExposed(element) {
    return element.checkVisibility({ visibilityProperty: true }) && !element.closest("[aria-hidden=true]");
  }

  /** @param {Element} element @returns {string[]} */
  function labels(element) {
    const ids = (element.getAttribute("aria-labelledby") || "").split(" ").filter(Boolean);
    if (ids.length) return [ids.map((id) => document.getElementById(id)?.textContent).join(" ")];
    const label = element.getAttribute("aria-label");
    if (label) return [label];
    const around = /** @type {HTMLInputElement} */ (element).labels;
    return around ? [...around].map((one) => one.textContent || "") : [];
  }

  /** @param {Node} node @returns {string} */
  function content(node) {
    if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? node.textContent || "" : "";
    if (!isExposed(node)) return "";
    const label = node.getAttribute("aria-label") || node.getAttribute("alt");
    if (label) return label;
    const text = [...node.childNodes].map(content).join("");
    return getComputedStyle(node).display === "inline" ? text : ` ${text} `;
  }

  /** @param {Element} element */
  function nameOf(element) {
    const text = labels(element).join(" ") || (element.matches(NAMED_BY_CONTENT) ? content(element) : "");
    return normal(text || element.getAttribute("title"));
  }

  /** @param {Element} element @param {Step} step */
  function hasRole(element, { value, wanted, level }) {
    if (element.hasAttribute("role") && element.getAttribute("role") !== value) return false;
    if (level && element.tagName !== `H${level}`) return false;
    return isExposed(element) && fits(nameOf(element), wanted);
  }

  /** @param {ParentNode} root @param {Wanted} wanted */
  function withText(root, wanted) {
    const all = [...root.querySelectorAll("*")].filter(
      (one) => !one.matches("script, style, noscript, head, head *") && fits(normal(one.textContent), wanted),
    );
    return all.filter((one) => !all.some((other) => other !== one && one.contains(other)));
  }

  /** @param {ParentNode} root @param {Step} step @returns {Element[]} */
  function below(root, step) {
    const { by, value, wanted } = step;
    if (by === "css") return [...root.querySelectorAll(value)].filter((one) => fits(normal(one.textContent), wanted));
    if (by === "text") return withText(root, wanted);
    if (by === "label") {
      return [...root.querySelectorAll("*")].filter((one) => labels(one).some((label) => fits(normal(label), wanted)));
    }
    const selector = /** @type {Record<string, string>} */ (ROLES)[value] || `[role=${value}]`;
    return [...root.querySelectorAll(selector)].filter((one) => hasRole(one, step));
  }

  /** @param {Step[]} steps */
  function findAll(steps) {
    /** @type {ParentNode[]} */
    let found = [document];
    for (const step of steps) {
      if (step.by === "index") found = found.slice(step.index).slice(0, 1);
      else found = [...new Set(found.flatMap((root) => below(root, step)))];
    }
    return /** @type {Element[]} */ (found);
  }

  /** @param {Step[]} steps */
  function findOne(steps) {
    const found = findAll(steps);
    if (found.length > 1) throw new Error(`several elements: ${found.map((each) => each.outerHTML.slice(0, 80))}`);
    return found[0];
  }

  /** @param {Element} element @param {string} attribute @param {string} property */
  function state(element, attribute, property) {
    const value = property && /** @type {any} */ (element)[property];
    return {
      text: normal(element.textContent), attribute: attribute && element.getAttribute(attribute), property: value,
      visible: isVisible(element), enabled: !element.matches(":disabled, [aria-disabled=true]"),
      focused: document.activeElement === element,
      value: /** @type {HTMLInputElement} */ (element).value,
    };
  }

  /** @param {Step[]} steps @param {string} attribute @param {string} property */
  function states(steps, attribute, property) {
    return findAll(steps).map((element) => state(element, attribute, property));
  }

  // Where to press an element; null while it is absent, hidden, disabled, moving or covered.
  /** @param {Step[]} steps */
  async function place(steps) {
    const element = findOne(steps);
    if (!element || !isVisible(element) || element.matches(":disabled")) return null;
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const before = element.getBoundingClientRect();
    await new Promise(requestAnimationFrame);
    const { x, y, width, height } = element.getBoundingClientRect();
    if (x !== before.x || y !== before.y) return null;
    const middle = { x: x + width / 2, y: y + height / 2 };
    return isHit(element, document.elementFromPoint(middle.x, middle.y)) ? middle : null;
  }

  /** @param {Element} element @param {EventTarget | null} hit */
  function isHit(element, hit) {
    return hit instanceof Element && (element.contains(hit) || hit.closest("label")?.control === element);
  }

  // As `place`; what is pressed from now on beside the element, because it has moved, is kept from the page.
  /** @param {Step[]} steps */
  async function guardedPlace(steps) {
    const middle = await place(steps);
    const element = findOne(steps);
    if (!middle || !element) return null;
    const ended = new AbortController();
    const guard = { isMissed: false, end: () => ended.abort() };
    for (const name of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "contextmenu"]) {
      addEventListener(name, (event) => {
        const isOfPress = name === "pointerdown" || name === "pointerup" && element.isConnected;
        if (isOfPress && !isHit(element, event.target)) guard.isMissed = true;
        if (!guard.isMissed) return;
        event.stopImmediatePropagation();
        event.preventDefault();
      }, { capture: true, signal: ended.signal });
    }
    Object.assign(window, { TsumeGuard: guard });
    return middle;
  }

  // Whether the element of `guardedPlace` was hit; true on another page.
  function wasHit() {
    const guard = /** @type {any} */ (window).TsumeGuard;
    guard?.end();
    return !guard?.isMissed;
  }

  return { findOne, states, place, guardedPlace, wasHit };
})();
