// SPDX-License-Identifier: GPL-3.0-or-later
// Names of squares, pieces and moves in the page's language, and moves as people type them.
"use strict";

const TsumeNotation = (function () {
  const { readMove, RANKS } = TsumePosition;
  const { language } = TsumePhrases;
  const WIDE_DIGITS = "０１２３４５６７８９";
  const KANJI_DIGITS = "一二三四五六七八九";

  const FILE_LABELS = [...TsumePosition.FILES].map((file) => (language === "ja" ? WIDE_DIGITS[Number(file)] : file));
  const RANK_LABELS = [...(language === "ja" ? KANJI_DIGITS : RANKS)];

  /** @param {string} square */
  function squareName(square) {
    if (language !== "ja") return square;
    return WIDE_DIGITS[Number(square[0])] + KANJI_DIGITS[RANKS.indexOf(square[1])];
  }

  /** @param {string} kind */
  function pieceName(kind) {
    return TSUME_PIECES[kind].name[language];
  }

  /**
   * A move with the square that it comes from: ▲２三金(34), G3d-2c.
   * @param {Position} position
   * @param {string} usi
   * @param {Side} side
   * @param {string | null} before the target of the move before, if there is one
   */
  function moveText(position, usi, side, before) {
    const { drop, origin, target, promotes } = readMove(usi);
    const kind = position.mover(usi);
    if (language !== "ja") {
      const separator = position.squares.has(target) ? "x" : "-";
      return drop ? `${kind}*${target}` : `${kind}${origin}${separator}${target}${promotes ? "+" : ""}`;
    }
    const place = target === before ? "同" : squareName(target);
    const end = drop ? "打" : `${promotes ? "成" : ""}(${origin[0]}${RANKS.indexOf(origin[1]) + 1})`;
    return `${side === "b" ? "▲" : "△"}${place}${pieceName(kind)}${end}`;
  }

  /**
   * The checks that a typed text names: in full (USI, ▲２三金, G-2c), or by the square if nothing else matches: 23金, 2c.
   * @param {string} text
   * @param {TreeCheck[]} checks
   */
  function matchingChecks(text, checks) {
    const typed = normalized(text);
    const exact = checks.filter((check) => [check.move, ...Object.values(check.text)].map(normalized).includes(typed));
    if (exact.length || typed.length < 2) return exact;
    const named = checks.filter(({ text: { en = "" } }) => withoutOrigin(normalized(en)) === typed);
    if (named.length) return named;
    /** @param {TreeCheck} check */
    const squares = ({ move, text: { ja = "" } }) => [move.slice(2, 4), normalized(ja).slice(0, 2)];
    return checks.filter((check) => squares(check).includes(typed));
  }

  /**
   * A normalized English move without the square that it comes from, which distinguishes it from others: s1c2d= is s2d=.
   * @param {string} move
   */
  function withoutOrigin(move) {
    return move.replace(/^(\+?[plnsgbrk])[1-9][a-i](?=[1-9][a-i])/, "$1");
  }

  // A move as people type it, normalized: USI, Western or Japanese, with or without its piece and its origin.
  const PIECES = "[歩香桂銀金角飛玉と杏圭全馬龍]";
  const MOVE = new RegExp([
    "[1-9][a-i][1-9][a-i]\\+?", "[plnsgbr]\\*?[1-9][a-i]", "\\+?[plnsgbrk]?(?:[1-9][a-i])?[1-9][a-i][+=]?",
    `(?:[1-9][1-9]|同)成?${PIECES}?[右左直]?[上寄引]?(?:成|不成|打)?(?:\\([1-9][1-9]\\))?`,
  ].map((one) => `^${one}$`).join("|"));

  // Whether a typed text can be read as a move.
  /** @param {string} text */
  function isMove(text) {
    return MOVE.test(normalized(text));
  }

  // Drops what people leave out (side marks, dashes) and unifies what they write in several ways (digits, kanji).
  /** @param {string} text */
  function normalized(text) {
    return text.normalize("NFKC").toLowerCase()
      .replace(/[▲△☗☖\s\-'x]/g, "")
      .replace(/[一二三四五六七八九]/g, (digit) => String(KANJI_DIGITS.indexOf(digit) + 1))
      .replace("竜", "龍").replace("王", "玉");
  }

  return { FILE_LABELS, RANK_LABELS, squareName, pieceName, moveText, matchingChecks, isMove };
})();
