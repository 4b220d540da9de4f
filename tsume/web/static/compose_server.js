// What the page to compose on has only with a server: long jobs, saving, exports, files in any encoding, and verdicts until the
// solver in the browser is ready.
"use strict";

window.TsumeComposeServer = (function () {
  const { localized } = TsumePhrases;
  const { find } = TsumeDom;
  const { post, get, json, diagramAddress } = TsumeRequests;
  const { isAbort } = TsumeErrors;
  const { saveProblem } = TsumeProblemSaver;

  /**
   * The judgement of a position: of the solver in the browser once it is ready; until then, and if it fails, of the server.
   * @param {JudgementQuery} query
   * @param {{signal: AbortSignal, busy: () => void}} options
   * @returns {Promise<Judgement>}
   */
  async function judge(query, { signal, busy }) {
    TsumeLocalSolver.start().catch(() => {}); // the server judges
    if (TsumeLocalSolver.isReady) {
      try {
        return await TsumeLocalSolver.judge(query, { signal });
      } catch (error) {
        if (isAbort(error)) throw error;
      }
    }
    return json(await post("/api/judgement", query, { signal, busy }));
  }

  /**
   * Reads the problem of a text or a file.
   * @param {{text: string} | {data: string}} given
   * @param {AbortSignal} signal
   */
  async function read(given, signal) {
    return json(await post("/api/reading", given, { signal }));
  }

  /**
   * A position and its line in KIF.
   * @param {string} sfen
   * @param {string[]} line
   */
  async function kif(sfen, line) {
    return TsumeRequests.text(await get(`/api/record?${new URLSearchParams({ sfen, line: line.join(" "), format: "kif" })}`));
  }

  /** @param {string} sfen */
  async function diagram(sfen) {
    return TsumeRequests.text(await get(diagramAddress(sfen)));
  }

  /**
   * Connects the forms and the panel of jobs.
   * @param {HTMLElement} root
   * @param {InstanceType<typeof TsumeComposePage>} page
   * @returns {Record<string, () => void>} the actions of the buttons
   */
  function connect(root, page) {
    const { composition } = page;
    const jobs = new TsumeJobPanel(find(root, ".tc-jobs"), {
      take: ({ sfen, line: moves, text }) => {
        const { intended } = composition.state;
        page.takeOver(sfen, text ? localized(text) : "", moves?.join() === intended.join() ? intended : []);
      },
      save: (problem) => saveProblem({ ...problem, author: TsumeComposeForms.author(root) }),
    });

    /** @param {"mend" | "enrich"} kind */
    function startJob(kind) {
      /** @param {string} name */
      const number = (name) => Number(TsumeComposeForms.value(root, name));
      const { kept } = composition.state;
      jobs.start(kind, {
        ...composition.query,
        edits: number("edits"),
        ...(kept.size ? { keep: [...kept] } : {}),
        ...(kind === "mend" && number("mended_moves") ? { moves: number("mended_moves") } : {}),
      });
    }

    TsumeComposeForms.connectServer(root, {
      generate: (constraints) => jobs.start("generate", constraints),
      save: (texts) => saveProblem({ ...composition.query, ...texts }),
    });
    return {
      keep: () => page.toggleKept(),
      mend: () => startJob("mend"),
      enrich: () => startJob("enrich"),
      stop: () => jobs.stop(),
      clear_finds: () => jobs.clear(),
    };
  }

  return { judge, read, kif, diagram, diagramAddress, connect };
})();
