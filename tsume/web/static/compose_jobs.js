// SPDX-License-Identifier: GPL-3.0-or-later
// The long jobs of the page to compose on: repairs, improvements and new problems, by the server or else by a solver of their
// own in the browser, so that verdicts do not wait for them.
"use strict";

const TsumeComposeJobs = (function () {
  const { localized, sentence } = TsumePhrases;
  const { find } = TsumeDom;
  const SEEDS = 2 ** 32;

  /**
   * @param {JobKind} kind
   * @param {any} body of a request to the server
   * @param {{signal: AbortSignal}} options
   */
  function localEvents(kind, body, { signal }) {
    const line = body.line ? { line: body.line.split(" ") } : {};
    const seed = kind === "generate" ? { seed: Math.floor(Math.random() * SEEDS) } : {};
    return TsumeLocalSolver.stream(kind, { ...body, ...line, ...seed }, { signal });
  }

  /**
   * Connects the panel of jobs and the forms that a page without a store lacks.
   * @param {HTMLElement} root
   * @param {InstanceType<typeof TsumeComposePage>} page
   * @returns {Record<string, () => void>} the actions of the buttons
   */
  function connect(root, page) {
    const { composition } = page;
    const server = window.TsumeComposeServer;
    const jobs = new TsumeJobPanel(find(root, ".tc-jobs"), {
      events: server?.events || localEvents,
      take: ({ event, sfen, line: moves, text }) => {
        const { intended } = composition.state;
        page.takeOver(sfen, text ? sentence(localized(text)) : "", {
          intended: moves?.join() === intended.join() ? intended : [],
          ...(event === "problem" ? { texts: TsumeComposition.NO_TEXTS } : {}),
        });
      },
      save: server && ((problem) => server.saveProblem({ ...problem, author: TsumeComposeForms.author(root) })),
    });

    /** @param {"mend" | "enrich"} kind */
    function startJob(kind) {
      /** @param {string} name */
      const number = (name) => Number(TsumeComposeForms.value(root, name));
      if (!page.isLegal()) return;
      const { kept } = composition.state;
      jobs.start(kind, {
        ...composition.query,
        edits: number("edits"),
        ...(kept.size ? { keep: [...kept] } : {}),
        ...(kind === "mend" && number("mended_moves") ? { moves: number("mended_moves") } : {}),
      });
    }

    TsumeComposeForms.connectGenerate(root, (constraints) => jobs.start("generate", constraints));
    if (server) {
      TsumeComposeForms.connectSave(root, (texts) => server.saveProblem({ ...composition.query, ...texts }));
    }
    return {
      keep: () => page.toggleKept(),
      mend: () => startJob("mend"),
      enrich: () => startJob("enrich"),
      stop: () => jobs.stop(),
      clear_finds: () => jobs.clear(),
    };
  }

  return { connect };
})();
