// SPDX-License-Identifier: GPL-3.0-or-later
// SVG drawings of the board: pieces, and what lies over the squares (dots, rings, arrows).
"use strict";

/** @typedef {{usi: string, side: Side, isPlayed: boolean}} MarkedMove isPlayed: the board shows the position after it */

const TsumeBoardDrawing = (function () {
  const { readMove, FILES, RANKS } = TsumePosition;
  const { svg } = TsumeDom;
  const [WIDTH, HEIGHT] = [40, 44]; // of a square
  const DOTS = [[3, 3], [6, 3], [3, 6], [6, 6]];

  /**
   * A piece of the set that the user has chosen.
   * @param {string} kind
   * @param {Side} side
   */
  function piece(kind, side) {
    const { edge, marks, sign } = TSUME_PIECES[kind][TsumeSettings.pieces()];
    const turn = side === "w" ? "rotate(180)" : "";
    const isUpright = !TsumeSettings.pieces().endsWith("kanji"); // letters are
    const parts = sign.map(([text, transform]) => svg("path", { d: TSUME_SIGNS[text], transform }));
    return svg(
      "svg",
      { class: "tb-piece" + (kind[0] === "+" ? " tb-promoted" : ""), viewBox: "-20 -22 40 44", "aria-hidden": "true" },
      svg("path", { class: "tb-shadow", d: edge, transform: `translate(1 1.4)${turn}` }), // the light is at the upper left
      svg("path", { class: "tb-edge", d: edge, transform: turn }),
      svg("path", { class: "tb-face", d: edge, transform: `translate(-.5 -.7)${turn}scale(.94)` }),
      ...(marks ? [svg("path", { class: "tb-marks", d: marks, transform: turn })] : []),
      svg("g", { class: "tb-sign", transform: turn && isUpright ? "translate(0 -6)" : turn }, ...parts),
    );
  }

  // The layer over the squares, to be filled with `overlay`.
  function layer() {
    return svg("svg", { class: "tb-arrows", viewBox: `0 0 ${9 * WIDTH} ${9 * HEIGHT}`, "aria-hidden": "true" });
  }

  /**
   * @param {string[]} rings squares
   * @param {MarkedMove[]} moves to point out: an arrow, or for a drop the piece in a ring
   */
  function overlay(rings, moves) {
    const drops = moves.filter(({ usi }) => readMove(usi).drop);
    const dropped = drops.map(({ usi }) => readMove(usi).target);
    return [
      ...DOTS.map(([x, y]) => svg("circle", { class: "tb-dot", cx: x * WIDTH, cy: y * HEIGHT, r: 2.5 })),
      ...drops.filter(({ isPlayed }) => !isPlayed).map(({ usi, side }) => droppedPiece(usi, side)),
      ...[...new Set([...rings, ...dropped])].flatMap(ring),
      ...moves.filter((move) => !drops.includes(move)).map(arrow),
    ];
  }

  /** @param {string} square */
  function ring(square) {
    const [cx, cy] = centre(square);
    return ["tb-ring tb-halo", "tb-ring"].map((name) => svg("circle", { class: name, cx, cy, r: 18 }));
  }

  /**
   * A piece on the square where it will be dropped.
   * @param {string} usi
   * @param {Side} side
   */
  function droppedPiece(usi, side) {
    const { drop, target } = readMove(usi);
    const drawn = pieceOn(target, piece(drop || "", side));
    drawn.classList.add("tb-dropped");
    return drawn;
  }

  // From the rim of the piece that moves, or to its rim.
  /** @param {MarkedMove} marked */
  function arrow({ usi, isPlayed }) {
    const move = readMove(usi);
    const [start, end] = isPlayed ? [0, 16] : [12, 6];
    const [x, y] = centre(move.target);
    const [fromX, fromY] = centre(move.origin || move.target);
    const length = Math.hypot(x - fromX, y - fromY) || 1;
    const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
    const [tipX, tipY] = [x - dx * end, y - dy * end];
    const [neckX, neckY] = [tipX - dx * 13, tipY - dy * 13];
    const head = `M${tipX} ${tipY}L${neckX - dy * 8} ${neckY + dx * 8}L${neckX + dy * 8} ${neckY - dx * 8}Z`;
    const line = { x1: fromX + dx * start, y1: fromY + dy * start, x2: neckX, y2: neckY };
    return svg("g", { class: "tb-arrow" },
      svg("line", { class: "tb-halo", ...line }), svg("path", { class: "tb-halo", d: head }),
      svg("line", line), svg("path", { d: head }));
  }

  /**
   * A picture of a position, without hands.
   * @param {Position} position
   * @param {string | null} last the move that led to it, if there is one
   * @param {string} label
   */
  function diagram(position, last, label) {
    const lines = [...Array(10).keys()].flatMap((n) => [
      svg("line", { x1: n * WIDTH, y1: 0, x2: n * WIDTH, y2: 9 * HEIGHT }),
      svg("line", { x1: 0, y1: n * HEIGHT, x2: 9 * WIDTH, y2: n * HEIGHT }),
    ]);
    const marks = last ? [pieceOn(readMove(last).target, svg("rect", { class: "tb-target" }))] : [];
    const pieces = [...position.squares].map(([square, { kind, side }]) => pieceOn(square, piece(kind, side)));
    const size = `-2 -2 ${9 * WIDTH + 4} ${9 * HEIGHT + 4}`;
    return svg("svg", { class: "tb-diagram", viewBox: size, role: "img", "aria-label": label },
      ...marks, ...lines, ...pieces);
  }

  /**
   * Places a drawn piece on a square.
   * @param {string} square
   * @param {SVGElement} drawn
   */
  function pieceOn(square, drawn) {
    const [x, y] = centre(square);
    const place = { x: x - WIDTH / 2, y: y - HEIGHT / 2, width: WIDTH, height: HEIGHT };
    for (const [name, value] of Object.entries(place)) drawn.setAttribute(name, String(value));
    return drawn;
  }

  /** @param {string} square */
  function centre(square) {
    return [(FILES.indexOf(square[0]) + 0.5) * WIDTH, (RANKS.indexOf(square[1]) + 0.5) * HEIGHT];
  }

  return { piece, layer, overlay, diagram };
})();
