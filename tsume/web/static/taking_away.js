// What leaves the page: texts to the clipboard, pictures to a file, problems to the store.
"use strict";

(function () {
  const { language, say, element, download } = window.TsumeShared;
  const { words, post, get, json, text, Refused } = window.TsumeAsking;
  const PICTURE_SCALE = 3; // pixels for each unit of the diagram

  // Copies a text; where that is not allowed, shows it in `field` to be copied by hand. Whether it was copied.
  async function copy(text, field) {
    try {
      await navigator.clipboard.writeText(text);
      field.hidden = true;
      return true;
    } catch {
      const area = field.querySelector("textarea");
      field.hidden = false;
      area.value = text;
      area.focus();
      area.select();
      return false;
    }
  }

  // The record of a position with its line in KIF.
  async function kif(sfen, line) {
    const answer = await get(`/api/record?${new URLSearchParams({ sfen, line: line.join(" "), format: "kif" })}`);
    return text(answer);
  }

  function diagramAddress(sfen) {
    return `/api/diagram.svg?${new URLSearchParams({ sfen, lang: language })}`;
  }

  async function saveSvg(sfen) {
    const answer = await get(diagramAddress(sfen));
    download(new Blob([await text(answer)], { type: "image/svg+xml" }), "tsume.svg");
  }

  async function savePng(sfen) {
    const image = new Image();
    image.src = diagramAddress(sfen);
    try {
      await image.decode();
    } catch {
      await get(image.src); // says what is wrong
      throw new Refused("web.failed");
    }
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * PICTURE_SCALE;
    canvas.height = image.naturalHeight * PICTURE_SCALE;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const picture = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
    download(picture, "tsume.png");
  }

  // Saves a problem; the answer is what to say of it, with a link to it.
  async function store(problem) {
    const given = Object.fromEntries(Object.entries(problem).filter(([, value]) => value));
    try {
      const { id, known } = await json(await post("/api/problems", given));
      const link = element("a", "", say("web.number", { id }));
      link.href = `/problems/${id}?lang=${language}`;
      return element("span", "", say(known ? "compose.known" : "compose.saved"), " ", link);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { judgement } = error.answer;
      const reason = judgement ? whyNot(judgement) : error.message;
      return element("span", "tc-refused", say("compose.not_saved", { reason }));
    }
  }

  // The headline and, of a problem that is unsound, its faults.
  function whyNot({ headline, grade, texts }) {
    return [words(headline), ...(grade === "unsound" ? texts[language].slice(1, 2) : [])].join(" — ");
  }

  window.TsumeTakingAway = { copy, kif, saveSvg, savePng, store };
})();
