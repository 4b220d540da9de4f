// SPDX-License-Identifier: GPL-3.0-or-later
// Progress as pictures: a line of ratings, tables with bars, a calendar of the problems of the day.
"use strict";

const TsumeCharts = (function () {
  const { make, svg, button } = TsumeDom;
  const { say } = TsumePhrases;
  const [WIDTH, HEIGHT, MARGIN] = [640, 180, 44];
  const MIN_SPAN = 200; // points of rating that the picture shows at least
  const WEEKS = 6;

  /** @param {[day: string, rating: number][]} history */
  function ratings(history) {
    if (!history.length) return make("p", {}, say("training.no_results"));
    const values = history.map(([, rating]) => rating);
    const middle = (Math.max(...values) + Math.min(...values)) / 2;
    const span = Math.max(MIN_SPAN, Math.max(...values) - Math.min(...values)) * 1.1;
    /** @param {number} index */
    const x = (index) => MARGIN + (WIDTH - MARGIN - 12) * (history.length > 1 ? index / (history.length - 1) : 1);
    /** @param {number} rating */
    const y = (rating) => HEIGHT / 2 - (rating - middle) / span * (HEIGHT - 40);
    const levels = [middle - span * 0.4, middle, middle + span * 0.4].map((level) => Math.round(level / 10) * 10);
    const label = say("training.rating_chart", { first: history[0][0], last: history[history.length - 1][0], rating: values[values.length - 1] });
    const points = values.map((rating, index) => `${x(index)},${y(rating)}`).join(" ");
    return svg("svg", { class: "tr-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      ...levels.flatMap((level) => [
        svg("line", { x1: MARGIN, x2: WIDTH, y1: y(level), y2: y(level), class: "tr-level" }),
        text(MARGIN - 6, y(level) + 4, String(level), "end"),
      ]),
      svg("polyline", { points, class: "tr-line" }),
      ...values.map((rating, index) => svg("circle", { cx: x(index), cy: y(rating), r: 3, class: "tr-point" })),
      text(MARGIN, HEIGHT - 4, history[0][0], "start"),
      ...(history.length > 1 ? [text(WIDTH - 4, HEIGHT - 4, history[history.length - 1][0], "end")] : []));
  }

  /** @param {number} x @param {number} y @param {string} words @param {"start" | "end"} anchor */
  function text(x, y, words, anchor) {
    const made = svg("text", { x, y, "text-anchor": anchor, class: "tr-axis" });
    made.textContent = words;
    return made;
  }

  /**
   * A table of how many problems were tried and solved cleanly.
   * @param {string} caption
   * @param {[name: string, tally: Tally][]} rows
   */
  function tallies(caption, rows) {
    const head = ["training.tried", "training.solved", "training.clean"].map((name) => make("th", { scope: "col" }, say(name)));
    const body = rows.map(([name, { tried, solved, clean }]) => {
      const share = Math.round(100 * clean / tried);
      const bar = make("span", { class: "tr-bar" });
      bar.style.width = `${share}%`;
      return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, String(tried)), make("td", {}, String(solved)),
        make("td", { class: "tr-share" }, bar, make("span", {}, `${clean} (${share}%)`)));
    });
    return make("table", { class: "tr-table" }, make("caption", {}, caption),
      make("thead", {}, make("tr", {}, make("td"), ...head)), make("tbody", {}, ...body));
  }

  /**
   * The last weeks; a day leads to its problem.
   * @param {DayResult[]} results
   * @param {Date} today
   * @param {(day: string) => void} play
   */
  function calendar(results, today, play) {
    const last = new Map(results.map((result) => [result[0], result]));
    const monday = new Date(today);
    monday.setDate(today.getDate() - (today.getDay() + 6) % 7 - 7 * (WEEKS - 1));
    const weeks = [...Array(WEEKS).keys()].map((week) => make("tr", {}, ...[...Array(7).keys()].map((day) => {
      const date = new Date(monday);
      date.setDate(monday.getDate() + 7 * week + day);
      return date > today ? make("td") : make("td", {}, dayButton(date, last.get(TsumeDays.text(date)), play));
    })));
    const names = say("training.weekdays").split(" ").map((name) => make("th", { scope: "col" }, name));
    return make("table", { class: "tr-calendar" }, make("caption", {}, say("training.calendar")),
      make("thead", {}, make("tr", {}, ...names)), make("tbody", {}, ...weeks));
  }

  /** @param {Date} date @param {DayResult | undefined} result @param {(day: string) => void} play */
  function dayButton(date, result, play) {
    const day = TsumeDays.text(date);
    const state = !result ? "open" : result[3] ? "clean" : result[2] ? "solved" : "failed";
    const sign = { open: "", clean: "◎", solved: "○", failed: "×" }[state];
    const label = `${day} ${say(`training.day_${state}`)}`;
    return button(`${date.getMonth() + 1}/${date.getDate()} ${sign}`, () => play(day), { "aria-label": label, title: label });
  }

  return { ratings, tallies, calendar };
})();
