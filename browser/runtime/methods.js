// SPDX-License-Identifier: GPL-3.0-or-later
// The methods of lists and numbers.
"use strict";

/** @type {Record<string, (list: Value[], ...given: Value[]) => Value>} */
const $list_methods = {
  append: $append,
  extend: $extend,
  insert: (list, at, item) => {
    list.splice(Number($n(at)), 0, item);
    return null;
  },
  pop: (list, at = -1) => {
    if (!list.length) throw new $IndexError("pop from empty list");
    return list.splice($place(list, at), 1)[0];
  },
  remove: (list, item) => {
    list.splice($list_methods.index(list, item), 1);
    return null;
  },
  index: (list, item, start = 0, end = null) => {
    const [first, size] = $places(new Slice(start, end), list.length);
    for (let i = first; i < first + size; i += 1) if ($eq(list[i], item)) return i;
    throw new $ValueError(`${$repr(item)} is not in list`);
  },
  count: (list, item) => list.reduce((number, one) => number + ($eq(one, item) ? 1 : 0), 0),
  copy: (list) => [...list],
  sort: (list) => $list_sort(list),
  reverse: (list) => {
    list.reverse();
    return null;
  },
  clear: (list) => {
    list.length = 0;
    return null;
  },
};

/** The binary digits of the size of an integer. @param {Value} x */
function $binary(x) {
  return $whole($big($abs(x))).toString(2);
}

/** @type {Record<string, (x: Value, ...given: Value[]) => Value>} */
const $number_methods = {
  bit_length: (x) => $n(x) === 0 ? 0 : $binary(x).length,
  bit_count: (x) => $binary(x).replaceAll("0", "").length,
  is_integer: (x) => Number.isInteger($n(x)),
};
