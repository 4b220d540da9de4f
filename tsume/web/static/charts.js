// SPDX-License-Identifier: GPL-3.0-or-later
// Progress as pictures: a line of ratings, tables with bars, a calendar of the problems of the day.
"use strict";

const TsumeCharts = (function () {
  const { make, svg, button } = TsumeDom;
  const { say, language } = TsumePhrases;
  const [WIDTH, HEIGHT, MARGIN] = [640, 240, 72];
  const LAST = 10; // results that are shown before there is a line
  const MIN_SPAN = 200; // points of rating that the picture shows at least
  const WEEKS = 6;

  /** @param {[day: string, rating: number][]} history */
  function ratings(history) {
    const values = history.map(([, rating]) => rating);
    const middle = (Math.max(...values) + Math.min(...values)) / 2;
    const span = Math.max(MIN_SPAN, Math.max(...values) - Math.min(...values)) * 1.1;
    /** @param {number} index */
    const x = (index) => MARGIN + (WIDTH - MARGIN - 12) * index / (history.length - 1);
    /** @param {number} rating */
    const y = (rating) => HEIGHT / 2 - (rating - middle) / span * (HEIGHT - 70);
    const levels = [middle - span * 0.4, middle, middle + span * 0.4].map((level) => Math.round(level / 10) * 10);
    const label = say("training.rating_chart", { first: history[0][0], last: history[history.length - 1][0], rating: values[values.length - 1] });
    const points = values.map((rating, index) => `${x(index)},${y(rating)}`).join(" ");
    return svg("svg", { class: "tr-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      ...levels.flatMap((level) => [
        svg("line", { x1: MARGIN, x2: WIDTH, y1: y(level), y2: y(level), class: "tr-level" }),
        text(MARGIN - 8, y(level) + 7, String(level), "end"),
      ]),
      svg("polyline", { points, class: "tr-line" }),
      ...values.map((rating, index) => svg("circle", { cx: x(index), cy: y(rating), r: 3, class: "tr-point" })),
      text(MARGIN, HEIGHT - 6, dayText(new Date(`${history[0][0]}T00:00`)), "start"),
      text(WIDTH - 12, HEIGHT - 6, dayText(new Date(`${history[history.length - 1][0]}T00:00`)), "end"));
  }

  // A date in words, with the year if it is not this one.
  /** @param {Date} date */
  function dayText(date) {
    const year = date.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    return new Intl.DateTimeFormat(language, { year, month: "long", day: "numeric" }).format(date);
  }

  // The last results as signs, the newest one at the end.
  /** @param {Progress["tried"]} tried */
  function recent(tried) {
    const signs = tried.slice(0, LAST).reverse().map(({ solved, failed }) => (!solved ? "✗" : failed ? "○" : "◎")).join(" ");
    return make("p", {}, signs ? say("training.last_results", { signs }) : say("training.no_results"));
  }

  /** @param {number} x @param {number} y @param {string} words @param {"start" | "end"} anchor */
  function text(x, y, words, anchor) {
    const made = svg("text", { x, y, "text-anchor": anchor, class: "tr-axis" });
    made.textContent = words;
    return made;
  }

  // A table of how many problems were tried and solved cleanly.
  /** @param {string} caption @param {("tried" | "solved" | "clean")[]} columns @param {[name: string, tally: Tally][]} rows */
  function tallies(caption, columns, rows) {
    const head = columns.map((name) => make("th", { scope: "col" }, say(`training.${name}`)));
    const body = rows.map(([name, { tried, solved, clean }]) => {
      const share = Math.round(100 * clean / tried);
      const bar = make("span", { class: "tr-bar" });
      bar.style.width = `${share}%`;
      return make("tr", {}, make("th", { scope: "row" }, name),
        ...(columns.includes("tried") ? [make("td", {}, String(tried))] : []), make("td", {}, String(solved)),
        make("td", { class: "tr-share" }, bar, make("span", {}, `${clean} (${share}%)`)));
    });
    return make("table", { class: "tr-table" }, make("caption", {}, caption),
      make("thead", {}, make("tr", {}, make("td"), ...head)), make("tbody", {}, ...body));
  }

  // The last weeks; a day leads to its problem.
  /** @param {DayResult[]} results @param {Date} today @param {(day: string) => void} play */
  function calendar(results, today, play) {
    const last = new Map(results.map((result) => [result[0], result]));
    const monday = new Date(today);
    monday.setDate(today.getDate() - (today.getDay() + 6) % 7 - 7 * (WEEKS - 1));
    const weeks = [...Array(WEEKS).keys()].map((week) => make("tr", {}, ...[...Array(7).keys()].map((day) => {
      const date = new Date(monday);
      date.setDate(monday.getDate() + 7 * week + day);
      if (date > today) return make("td");
      const made = dayButton(date, last.get(TsumeDays.text(date)), play);
      if (date.getDate() === 1 || !(week + day)) made.prepend(make("small", {}, new Intl.DateTimeFormat(language, { month: "short" }).format(date)));
      return make("td", {}, made);
    })));
    const names = say("training.weekdays").split(" ").map((name) => make("th", { scope: "col" }, name));
    return make("table", { class: "tr-calendar" }, make("caption", {}, say("training.calendar")),
      make("thead", {}, make("tr", {}, ...names)), make("tbody", {}, ...weeks),
      make("tfoot", {}, make("tr", {}, make("td", { colspan: 7 }, say("training.calendar_signs")))));
  }

  /** @param {Date} date @param {DayResult | undefined} result @param {(day: string) => void} play */
  function dayButton(date, result, play) {
    const day = TsumeDays.text(date);
    const state = !result ? "open" : result[3] ? "clean" : result[2] ? "solved" : "failed";
    const sign = { open: "", clean: "◎", solved: "○", failed: "✗" }[state];
    const label = `${dayText(date)} ${say(`training.day_${state}`)}`;
    const isToday = day === TsumeDays.text(new Date());
    return button(`${date.getDate()} ${sign}`, () => play(day), { class: `tr-day-${state}`, "aria-label": label, title: label, ...(isToday ? { "aria-current": "date" } : {}) });
  }

  return { ratings, recent, dayText, tallies, calendar };
})();
