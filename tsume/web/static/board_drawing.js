// SVG drawings of the board: pieces, and what lies over the squares (dots, rings, arrows).
"use strict";

const TsumeBoardDrawing = (function () {
  const { readMove, FILES, RANKS } = TsumePosition;
  const { svg } = TsumeDom;
  const [WIDTH, HEIGHT] = [40, 44]; // of a square
  const DOTS = [[3, 3], [6, 3], [3, 6], [6, 6]];

  /**
   * @param {string} kind
   * @param {Side} side
   * @param {Signs} signs
   */
  function piece(kind, side, signs) {
    const outline = TSUME_PIECES[kind];
    const rotation = side === "w" ? "rotate(180)" : "";
    const sign = rotation && signs === "letters" ? "translate(0 -6)" : rotation; // letters stay upright
    return svg(
      "svg",
      { class: "tb-piece" + (kind[0] === "+" ? " tb-promoted" : ""), viewBox: "-20 -22 40 44", "aria-hidden": "true" },
      svg("path", { class: "tb-edge", d: outline.edge, transform: rotation }),
      svg("path", { class: "tb-sign", d: outline[signs], transform: sign }),
    );
  }

  // The layer over the squares, to be filled with `overlay`.
  function layer() {
    return svg("svg", { class: "tb-arrows", viewBox: `0 0 ${9 * WIDTH} ${9 * HEIGHT}`, "aria-hidden": "true" });
  }

  /**
   * @param {string[]} rings squares
   * @param {string[]} arrows moves
   */
  function overlay(rings, arrows) {
    return [
      ...DOTS.map(([x, y]) => svg("circle", { class: "tb-dot", cx: x * WIDTH, cy: y * HEIGHT, r: 2.5 })),
      ...rings.flatMap((square) => {
        const [cx, cy] = centre(square);
        return ["tb-ring tb-halo", "tb-ring"].map((name) => svg("circle", { class: name, cx, cy, r: 18 }));
      }),
      ...arrows.map(arrow),
    ];
  }

  /** @param {string} usi */
  function arrow(usi) {
    const move = readMove(usi);
    const [x, y] = centre(move.target);
    const [fromX, fromY] = move.drop ? [x, Math.min(y + 66, 390)] : centre(move.origin);
    const length = Math.hypot(x - fromX, y - fromY) || 1;
    const [dx, dy] = [(x - fromX) / length, (y - fromY) / length];
    const [tipX, tipY] = [x - dx * 6, y - dy * 6];
    const [neckX, neckY] = [tipX - dx * 13, tipY - dy * 13];
    const head = `M${tipX} ${tipY}L${neckX - dy * 8} ${neckY + dx * 8}L${neckX + dy * 8} ${neckY - dx * 8}Z`;
    const line = { x1: fromX, y1: fromY, x2: neckX, y2: neckY };
    return svg("g", { class: "tb-arrow" },
      svg("line", { class: "tb-halo", ...line }), svg("path", { class: "tb-halo", d: head }),
      svg("line", line), svg("path", { d: head }));
  }

  /** @param {string} square */
  function centre(square) {
    return [(FILES.indexOf(square[0]) + 0.5) * WIDTH, (RANKS.indexOf(square[1]) + 0.5) * HEIGHT];
  }

  return { piece, layer, overlay };
})();
