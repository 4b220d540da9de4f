// SPDX-License-Identifier: GPL-3.0-or-later
// Types of tsume.js: the solver of tsume-shogi problems in a page or in Node.js.
//
// Positions are SFEN with the attacker to move (with White to move they are read as seen from the other
// side), moves USI in the orientation of the given SFEN. Fields of results are those of the commands with
// --jsonl (docs/cli.md, docs/tree.md), of the server's API (docs/board.md) where noted.

export as namespace Tsume;

/** The version of the release, which tsume.js and tsume-worker.js share. */
export const version: string;

/** Where tsume-worker.js is, if neither loaded nor beside tsume.js. Set it before making the first solver. */
export let workerAddress: string | undefined;

/** Where tsume-network.js is, likewise; it is loaded when problems are first composed. */
export let networkAddress: string | undefined;

/**
 * One worker, and the requests that wait for it. Requests run one after the other, in their order.
 *
 * The worker is started at once, replaced when a running request is stopped, and ends with `close()`.
 */
export class Solver {
  constructor(options?: SolverOptions);

  /** Resolves when the worker is ready; rejects with a TsumeError ("unavailable") if it cannot be started. */
  readonly ready: Promise<void>;

  /** The shortest mate and its best line, as `tsume solve`. */
  solve(sfen: string, options?: SolveOptions): Promise<Solution>;

  /** The judgement as a problem, as `tsume check`. */
  check(sfen: string, options?: CheckOptions): Promise<Checked>;

  /** Every check at every turn, with its answers, as `tsume tree`. */
  tree(sfen: string, options?: TreeOptions): Promise<Tree>;

  /** How each answer is mated and why each other check fails, as `tsume explain`. */
  explain(sfen: string, options?: ExplainOptions): Promise<Explanation>;

  /** Repairs of a position that is no perfect problem, as `tsume mend`. */
  mend(sfen: string, options?: MendOptions): AsyncGenerator<MendEvent, void>;

  /** Improvements of a correct problem, as `tsume enrich`. */
  enrich(sfen: string, options?: EnrichOptions): AsyncGenerator<EnrichEvent, void>;

  /** The mates that were on the board in the games of a text, as `tsume games`. */
  games(text: string, options?: GamesOptions): AsyncGenerator<GameEvent, void>;

  /** New problems, as `tsume generate`. */
  generate(options: GenerateOptions): AsyncGenerator<GenerateEvent, void>;

  /** Any request with one answer, by its kind. */
  ask<Kind extends keyof Requests>(
    kind: Kind, fields: Requests[Kind]["fields"], options?: RequestOptions,
  ): Promise<Requests[Kind]["answer"]>;

  /**
   * Any request that is answered by a stream. It begins when the first event is asked for, and leaving the
   * loop over the events stops it.
   */
  stream<Kind extends keyof Streams>(
    kind: Kind, fields: Streams[Kind]["fields"], options?: RequestOptions,
  ): AsyncGenerator<Streams[Kind]["event"], void>;

  /** Stop all requests at once; they reject with an AbortError. The solver can be used further. */
  stop(): void;

  /** Stop all requests and end the worker. Later requests reject with a TsumeError ("closed"). */
  close(): void;
}

/**
 * Why a request has no answer; the message is for people. All failures but stopped requests are of this class.
 *
 * A request that is stopped rejects with the reason of its signal, by default a DOMException, `AbortError`.
 */
export class TsumeError extends Error {
  constructor(message: string, code: TsumeErrorCode);
  readonly code: TsumeErrorCode;
}

/**
 * `input`: an option or field cannot be read, is unknown or is missing; the message names it. `crashed`: the worker
 * failed at this request and was replaced. `unavailable`: no worker can be started here. `closed`: the solver was
 * closed before.
 */
export type TsumeErrorCode = "input" | "crashed" | "unavailable" | "closed";

/** What tsume-worker.js defines. */
export interface TsumeWorkerProgram {
  version: string;
  /** The text of a classic worker. */
  source: string;
  /** The kernels: WebAssembly, compressed by gzip, as base64. */
  module: string;
}

/** What tsume-network.js defines. */
export interface TsumeNetworkData {
  version: string;
  /** Name, type and shape of each array. */
  layout: [string, "float16" | "int8", number[]][];
  /** Their elements, compressed by gzip, as base64. */
  data: string;
}

// --- options -----------------------------------------------------------------------------------------

export interface SolverOptions {
  /** Megabytes for the tables of the searches: a whole number from 16 to 2048 (64). */
  memory?: number;
  /** The worker program; by default that of tsume-worker.js. */
  worker?: TsumeWorkerProgram;
  /** The network for composing; by default that of tsume-network.js. */
  network?: TsumeNetworkData;
}

export interface RequestOptions {
  /** Stops the request. */
  signal?: AbortSignal;
}

export interface TimeOptions extends RequestOptions {
  /** Time limit, above 0. What is not settled by then is unresolved. */
  seconds?: number;
}

export interface SolveOptions extends TimeOptions {
  /** Limit in nodes of the search. */
  nodes?: number;
  /** Search for mates of at most this many plies. */
  max_length?: number;
}

export interface CheckOptions extends TimeOptions {
  /** The composer's solution, which is judged too. */
  line?: Move[];
  /** The expected length in plies; another length is a defect. */
  moves?: number;
}

export type TreeOptions = TimeOptions;

export interface ExplainOptions extends TimeOptions {
  /** The languages of the texts; Japanese if none are given. */
  languages?: ("ja" | "en")[];
  /** The composer's solution, which is explained if it is a best line. */
  line?: Move[];
}

export interface ChangeOptions extends TimeOptions {
  /** The composer's solution; it is kept if possible. */
  line?: Move[];
  /** Squares that stay as they are, such as `5e`. */
  keep?: string[];
  /** The most changes: from 1 to 3; 0 enriches by introductions only (2). */
  edits?: number;
}

export interface MendOptions extends ChangeOptions {
  /** The length in plies of what is looked for, from 3 to 99; any if not given. */
  moves?: number;
  /** The most repairs, from 1 to 20 (5). */
  count?: number;
}

export interface EnrichOptions extends ChangeOptions {
  /** Plies of an introduction: 2, 4, 6 or 8 (2). */
  plies?: number;
  /** The most suggestions of each kind, from 1 to 20 (3). */
  count?: number;
}

export interface GamesOptions extends RequestOptions {
  /** The longest mates that are searched for, in plies (15). */
  max_moves?: number;
  /** A turn is left unresolved after so many nodes (1,000,000). */
  nodes?: number;
}

export interface GenerateOptions extends TimeOptions {
  /** The length in plies: an odd number from 1 to 15. Natural problems of 3 to 9 plies are found soonest. */
  moves: number;
  /** How many problems, from 1 to 50 (1). */
  count?: number;
  /** From 0 to 2**32 - 1. The same number gives the same problems, whatever the machine, as far as no limit ends the search. */
  seed?: number;
  /** Only problems that a person might have composed (true); all correct ones are found sooner. */
  natural?: boolean;
  /** Problems with blemishes too (false). */
  sound?: boolean;
  /** The difficulty, from 1 to 5. */
  stars?: number;
  /** Themes that all problems show, by their names in `tsume generate --theme`. */
  themes?: string[];
  /** The most pieces on the board and in the attacker's hand, from 3 to 40. */
  pieces?: number;
  /** The moves of the main line, written as for `tsume generate --line`. */
  line?: string;
  /** The last move, written as for `tsume generate --last`. */
  last?: string;
  /** Where the king is mated: a square (`5e`) or a region (`corner`, `edge`, `centre`). */
  mate_on?: string;
  /** false: begin natural problems without the network, which then need not be loaded (true). */
  network?: boolean;
}

/** Fields and answers of `ask`. */
export interface Requests {
  solve: { fields: Asked<SolveOptions>; answer: Solution };
  check: { fields: Asked<CheckOptions>; answer: Checked };
  tree: { fields: Asked<TreeOptions>; answer: Tree };
  explain: { fields: Asked<ExplainOptions>; answer: Explanation };
  /** What the server answers to POST /api/judgement. */
  judgement: { fields: Asked<CheckOptions>; answer: RenderedJudgement };
  /** What the server answers to GET /api/problems/ID/tree. */
  play_tree: { fields: PlayedFields; answer: PlayTree };
  /** What the server answers to GET /api/problems/ID/position. */
  position: { fields: PlayedFields; answer: PositionChoices };
  /** Variations and tries along a line, in both languages. */
  commentary: { fields: Asked<TimeOptions> & { line: Move[] }; answer: Commentary };
  /** What the server answers to POST /api/reading, errors included. */
  reading: { fields: { text: string }; answer: ReadProblem | UnreadableText };
  /** The exercise that a mate of a game makes, the attacker as Black; nulls if it has several solutions. */
  exercise: { fields: Asked<TimeOptions>; answer: { sfen: string; length: number } | { sfen: null; length: null } };
  /** KIF of a position with its line. */
  kif: { fields: { sfen: string; line?: Move[]; title?: string; author?: string }; answer: { text: string } };
  /** SVG of a position. */
  diagram: { fields: { sfen: string; language?: "ja" | "en" }; answer: { text: string } };
}

/** Fields and events of `stream`. */
export interface Streams {
  /** What the server answers to POST /api/mending. */
  mend: { fields: Asked<MendOptions>; event: MendEvent };
  /** What the server answers to POST /api/enriching. */
  enrich: { fields: Asked<EnrichOptions>; event: EnrichEvent };
  /** What the server answers to POST /api/generating; the seed is 0 by default. */
  generate: { fields: Omit<GenerateOptions, "signal">; event: GenerateEvent };
  games: { fields: { text: string } & Omit<GamesOptions, "signal">; event: GameEvent };
}

/** The first problem of a text, the attacker as Black; `more`: there are others after it. */
export interface ReadProblem {
  sfen: string;
  line: Move[];
  title: string;
  author: string;
  comment: string;
  format: "address" | "kif" | "csa" | "jkf" | "csv" | "lines";
  more: boolean;
}

export interface UnreadableText {
  error: string;
  code: "unknown_text" | "no_position" | null;
}

export type Asked<Options> = { sfen: string } & Omit<Options, "signal">;

export interface PlayedFields {
  sfen: string;
  /** Plies of the problem. */
  length: number;
  /** The moves played so far. */
  moves?: Move[];
  seconds?: number;
}

// --- results ---------------------------------------------------------------------------------------------

/** A move in USI: `7g7f`, `8h2b+`, `G*5b`. */
export type Move = string;

/** Moves in USI, separated by spaces. */
export type MoveText = string;

export type Localized = Record<"ja" | "en", string>;

export interface Solution {
  /** The position as it was given. */
  sfen: string;
  /** `no_mate` is proved for any length. */
  result: "mate" | "no_mate" | "unresolved";
  /** Plies of the shortest mate; null without a mate. */
  length: number | null;
  line: Move[];
  nodes: number;
  seconds: number;
  /** The limit that was reached and what is known. */
  error: string | null;
}

export type Grade = "perfect" | "sound" | "unsound";

export type DefectName =
  | "ILLEGAL_START" | "NO_MATE" | "WRONG_LENGTH" | "COOK" | "LEFTOVER" | "UNDETERMINED_FORM"
  | "UNNECESSARY_PIECE" | "GREY_INTERPOSITION" | "MIRROR_KEY";

export type CookClass = "detour" | "merging" | "order" | "form" | "ending" | "leftover" | "true";

/** The fields of a judgement that do not depend on where it is shown. */
export interface Judgement {
  sfen: string;
  /** null if a limit was reached first. */
  grade: Grade | null;
  faults: string[];
  blemishes: string[];
  /** The judgement of the composer's line; `wrong_at` is the number of its first move that is not best. */
  given: {
    line: Move[]; reading: Reading | "longer" | null; wrong_at: number | null; better: Move[];
    beginning_of: number | null; parts_at: number | null;
  } | null;
  correct: boolean;
  /** Where every longest defence leaves pieces: a line two plies shorter that may be meant. */
  without_longer: Move[];
  without_moved: Move[];
  moved_between: Move[];
  /** Of a long work without a fault: the classes of its second solutions. */
  complete_but_for: string[] | null;
  defects: DefectName[];
  /** A limit was reached first. */
  unresolved: boolean;
  /** The defects that no fault depends on and that were not searched for to the end. */
  not_settled: DefectName[];
  /** false if the examination stopped as soon as the grade was certain. */
  complete: boolean;
  length: number | null;
  line: Move[];
  /** The lines of the second solutions. */
  cooks: Move[][];
  /** Plies within which second solutions were searched for; null: exhaustively. */
  searched: number | null;
  notes: string[];
  readings: Readings | null;
  themes: string[];
  quality: number | null;
  likeness: number | null;
}

export interface Checked extends Judgement {
  findings: (FindingFields & { text: string; line: Move[] })[];
}

export interface RenderedJudgement extends Judgement {
  findings: (FindingFields & { text: Localized; line: MoveText })[];
  headline: Localized;
  texts: Record<"ja" | "en", string[]>;
}

/** The proof of a defect, or an example of a remark, which determines the other fields (docs/cli.md). */
export interface FindingFields {
  defect: string | null;
  remark: string | null;
  /** A move number. */
  turn?: number;
  key?: Move;
  check?: Move;
  length?: number;
  late?: number;
  class?: CookClass | null;
  joins?: number | null;
  proved?: boolean | null;
  hand?: string;
  piece?: string;
  side?: "attacker" | "defender";
  square?: string | null;
  /** The problem without an unnecessary piece. */
  smaller?: string;
  drop?: Move | null;
  futile_by?: Reading[];
  expected?: number;
  actual?: number;
  checks?: number;
  tries?: Try[];
  fault?: string;
  reason?: StartFault["reason"] | null;
  squares?: string[];
  answers?: Move[];
  moves?: Move[];
}

/** What is illegal in a start. */
export interface StartFault {
  fault: string;
  reason: "KINGS" | "TWO_PAWNS" | "DEAD_PIECE" | "TOO_MANY" | "IN_CHECK" | "BOTH_IN_CHECK";
  squares: string[];
}

export type Reading = "narrow" | "purist" | "wide";

/** The lengths by the readings of futile interpositions. */
export interface Readings extends Record<"narrow" | "wide", number> {
  agree: boolean;
  purist: number | null;
  searched: number | null;
  restoring: number | null;
  restoring_line: Move[];
  restoring_drop: Move[];
  /** Where they first differ: move number, moves before it, plies left, and the checks that mate there. */
  turn: number | null;
  path: Move[] | null;
  left: number | null;
  first_moves: Record<Reading, { length: number | null; moves: Move[] }> | null;
}

export type Proof = "no_check" | "any_length" | "bounded";

export interface Try {
  check: Move;
  answer: Move;
  proof: Proof;
  within: number | null;
  only: boolean | null;
  refutations: Move[];
  work: number;
  cause: Cause | null;
}

/** What decides that an answer refutes a check, or that a check mates: docs/cli.md, "explain". */
export interface Cause {
  kind: "pawn_drop_mate" | "repetition" | "counter_check" | "pin" | "double_check";
  line: Move[];
  squares: string[];
}

type ExplainedJudgement =
  Pick<Judgement, "sfen" | "correct" | "defects" | "grade" | "blemishes" | "unresolved" | "length" | "line">;

export interface Explanation extends ExplainedJudgement {
  complete: boolean;
  turns: ExplainedTurn[];
  /** The lines of the text in each language. */
  text: Record<"ja" | "en", string[]>;
  /** Only of an illegal start. */
  illegal?: StartFault[];
}

export interface ExplainedTurn {
  turn: number;
  path: Move[];
  length: number | null;
  key: Move | null;
  variations: { answers: Move[]; line: Move[]; length: number; total: number; leftover: string; counter_check: boolean }[];
  forbidden: Move | null;
  causes: Cause[];
  futile: { drops: Move[]; take: Move }[];
  tries: Try[];
  others: { check: Move; length: number | null }[];
}

// --- repairs and suggestions: docs/board.md ---------------------------------------------------------------

export type MendEvent =
  | ({ event: "judgement" } & RenderedJudgement)
  | ({ event: "repair" } & ReworkedProblem)
  | (EndEvent & {
      /** There is nothing to mend. */
      reason?: "perfect";
      /** Without a repair: why, and the nearest position that mates. */
      text?: Localized;
    });

export type EnrichEvent =
  | ({ event: "judgement" } & RenderedJudgement)
  | ({ event: "suggestion" } & Suggestion)
  | (EndEvent & { /** Only correct problems are enriched. */ reason?: "unsound" });

export type GenerateEvent =
  | { event: "progress"; roots: number; found: number; seconds: number }
  | ({ event: "problem" } & ComposedProblem)
  | (EndEvent & { seed: number; network: boolean });

/** A game of so many `moves`, or what is wrong with it, then the end. */
export type GameEvent =
  | {
    event: "game"; moves: number; mates: GameMate[];
    /** Turns of which the limit left open whether there is a mate. */
    unresolved: number[];
    /** What is wrong with the record; the moves before that are searched. */
    error: string | null;
    /** The rest is not there of a record of which nothing can be read. */
    headers?: { black?: string; white?: string; event?: string; date?: string };
    /** The first position. */
    sfen?: string;
    line?: Move[];
  }
  | EndEvent;

/** A turn at which the side to move could mate; moves are in USI as the game has them. */
export interface GameMate {
  /** The number of moves before it. */
  at: number;
  side: "black" | "white";
  sfen: string;
  length: number;
  line: Move[];
  /** Other first moves that mate as soon; null if that was not found out. */
  others: Move[] | null;
  played: Move | null;
  fate: "played" | "slower" | "missed" | "last" | "open";
  /** At so many turns of that side, from this one on, there was a mate. */
  stays: number;
}

export interface ComposedProblem {
  sfen: string;
  length: number;
  line: Move[];
  grade: Grade;
  /** The difficulty. */
  score: number;
  stars: number;
  themes: string[];
  quality: number;
}

export interface EndEvent {
  event: "end";
  /** false if a limit ended the search. */
  complete: boolean;
}

/** What a problem is worth: quality and likeness from 0 to 100, the value of its pieces. */
export interface ProblemWorth {
  quality: number;
  likeness: number;
  material: number;
}

export interface ReworkedProblem extends ProblemWorth {
  /** What leads to it from the given position. */
  changes: PositionChange[];
  sfen: string;
  length: number;
  grade: Grade;
  blemishes: string[];
  line: Move[];
  /** The changes in words. */
  text: Localized;
}

export interface Suggestion extends ReworkedProblem {
  kind: "defenders" | "natural" | "introduction";
  /** The moves in front of the given line. */
  introduction: Move[];
  /** How much more it is worth than the original. */
  gain: number;
}

export interface PositionChange {
  change: "added" | "taken-off" | "moved" | "exchanged" | "taken-in-hand" | "put-on-board" | "shifted";
  piece?: PieceName;
  /** Where it is; without a square in the attacker's hand. */
  square?: string;
  /** Where it goes. */
  to?: string;
  /** What comes in its place. */
  other?: PieceName;
  /** Of a shift: by how many files and ranks. */
  step?: [number, number];
  text: string;
}

export interface PieceName {
  side: "attacker" | "defender";
  kind: string;
}

// --- trees: docs/tree.md -----------------------------------------------------------------------------------

export interface Tree {
  sfen: string;
  result: "mate" | "no_mate" | "unresolved" | "illegal_start";
  /** Only of an illegal start. */
  illegal?: StartFault[];
  length: number | null;
  line: MoveText;
  complete: boolean;
  turns: TreeTurn[];
}

export interface TreeTurn {
  id: number;
  path: MoveText;
  length: number | null;
  key: Move | null;
  checks: TreeCheck[];
  /** A pawn drop that would be mate. */
  forbidden?: Move;
}

export type Rank = "key" | "form" | "as_soon" | "later";

export type TreeCheck = { move: Move } & (
  | { result: "mates"; length: number; rank: Rank; answers: TreeAnswer[] }
  | {
    result: "fails"; answer: Move; proof: Proof; within?: number; piece: string; taken?: string; cause?: Cause;
    manner: "takes_checker" | "moves_king" | "moves_between" | "drops_between";
  }
  | { result: "open"; mates?: true }
);

export interface TreeAnswer {
  move: Move;
  length: number;
  best?: true;
  turn?: number;
  line?: MoveText;
  take?: Move;
}

// --- what a board plays against: docs/board.md ------------------------------------------------------------

export interface PlayTree {
  sfen: string;
  result: "mate" | "no_mate" | "unresolved";
  length: number | null;
  complete: boolean;
  turns: { key: Move | null; checks: PlayCheck[] }[];
}

export type PlayCheck = { move: Move; text: Localized } & (
  | { result: "mates"; rank: Rank; answers: { move: Move; text: Localized; best?: true; turn?: number }[] }
  | {
    result: "fails"; answer: Move; answer_text: Localized; proof: Proof; within?: number; why: Localized;
    proof_text?: Localized;
  }
  | { result: "open" }
);

/** Parts, each a label and texts, by language. */
export type Commentary = Record<"ja" | "en", { label: string; items: string[] }[]>;

export interface PositionChoices {
  side: "attacker" | "defender";
  choices: {
    move: Move;
    text: Localized;
    result: "mates" | "fails" | "open";
    length?: number;
    best?: boolean;
    futile?: boolean;
  }[];
}
