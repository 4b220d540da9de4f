// SPDX-License-Identifier: GPL-3.0-or-later
// heapq, step for step as in CPython: items that compare as equal come out in the same order.
"use strict";

/** @param {Value[]} heap @param {Value} item */
function $heappush(heap, item) {
  heap.push(item);
  $sift_down(heap, 0, heap.length - 1);
  return null;
}

/** @param {Value[]} heap */
function $heappop(heap) {
  if (!heap.length) throw new $IndexError("index out of range");
  const last = heap.pop();
  if (!heap.length) return last;
  const least = heap[0];
  heap[0] = last;
  $sift_up(heap);
  return least;
}

/** Moves the item at a place towards the root. @param {Value[]} heap @param {number} root @param {number} place */
function $sift_down(heap, root, place) {
  const item = heap[place];
  let at = place;
  while (at > root) {
    const above = (at - 1) >> 1;
    if (!$lt(item, heap[above])) break;
    heap[at] = heap[above];
    at = above;
  }
  heap[at] = item;
}

/** Moves the root to a leaf, and from there to its place. @param {Value[]} heap */
function $sift_up(heap) {
  const item = heap[0];
  let at = 0;
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (below + 1 < heap.length && !$lt(heap[below], heap[below + 1])) below += 1;
    heap[at] = heap[below];
    at = below;
  }
  heap[at] = item;
  $sift_down(heap, 0, at);
}
