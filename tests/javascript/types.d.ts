// SPDX-License-Identifier: GPL-3.0-or-later
// What the scripts get from outside: generated scripts, the server's answers, events of the boards.

type Language = "ja" | "en";
type Localized = Record<Language, string>;
type PieceSet = "kanji" | "two-kanji" | "letters" | "moves";
type PieceOutlines = { edge: string; sign: [text: string, transform: string][]; marks: string };

// --- generated scripts ---------------------------------------------------------------------------

declare var TSUME_WORDS: Record<Language, Record<string, string>>;
declare var TSUME_PIECES: Record<string, Record<PieceSet, PieceOutlines> & { name: Localized }>; // most sets come later
declare var TSUME_SIGNS: Record<string, string>; // the outlines of their texts

type SiteProblem = [
  id: number, sfen: string, length: number, stars: number, rating: number, title: string, themes: string[], rank: number, tags: string[], // rank: by difficulty
];

interface Window {
  TSUME_DAYS?: DayProblem[];
  TSUME_PROBLEMS?: SiteProblem[]; // of a site
  TSUME_THEMES?: Record<string, Localized>; // the names of their themes
  TsumeTrainer: Trainer; // trainer_server.js or trainer_browser.js
  TsumePersons?: { attach(root: HTMLElement, refresh: () => Promise<void>): void; show(identity: Identity): void };
  TsumeClasses?: { attach(root: HTMLElement, play: (ids: number[], title: string) => void): void; show(identity: Identity): void };
  TSUME_TREES?: Record<string, ReplyTree | null>; // problems/ID.js of a site, by SFEN
  TSUME_LINES?: Record<string, string>; // the line of its answer, as text
  TsumeTrees: Trees; // tree_request.js or tree_solver.js
  TsumeComposeServer?: ComposeServer; // compose_server.js; a site has none
}

// --- the solver in the browser ---------------------------------------------------------------------

interface SolverFields {
  sfen?: string;
  text?: string;
  language?: Language;
  length?: number;
  moves?: string[];
  line?: string[];
  languages?: Language[];
  seconds?: number;
  title?: string;
  author?: string;
}

// --- answers about a problem -----------------------------------------------------------------------

interface PlayedProblem {
  sfen: string;
  length: number;
  address: string; // of the server's API; on a site, of the script with its tree
}

// null: another request came before the answer
interface Trees {
  load(problem: PlayedProblem): Promise<ReplyTree | null>;
  loadAfter(problem: PlayedProblem, moves: string[]): Promise<ReplyTree | null>;
  choices(problem: PlayedProblem, moves: string[]): Promise<Choices | null>;
  text?(address: string): Promise<string>; // a part of a page
  commentary?(problem: PlayedProblem, line: string[]): Promise<Record<Language, AnswerPart[]>>;
}

interface AnswerPart {
  label: string;
  items: string[];
}

// --- composing with a server -------------------------------------------------------------------------

interface ComposeServer {
  solverBuilt(): Promise<void>;
  judge(query: TimedQuery, options: { signal: AbortSignal; busy: () => void }): Promise<Judgement>;
  read(given: { text: string } | { data: string }, signal: AbortSignal): Promise<any>;
  kif(sfen: string, line: string[], texts: RecordTexts): Promise<string>;
  diagram(sfen: string): Promise<string>; // SVG
  diagramAddress(sfen: string): string;
  events(kind: JobKind, body: object, options: { signal: AbortSignal; busy: () => void }): AsyncIterable<JobEvent>;
  saveProblem: (typeof TsumeProblemSaver)["saveProblem"];
}

declare const TSUME_SITE: { version: string; folders: string[]; offline: string; files: string[] }; // of a site, in its service worker

// What service workers have, which the types of pages lack.
interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface SiteWorker {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", act: (event: WorkerEvent) => void): void;
  addEventListener(type: "message", act: (event: WorkerEvent & MessageEvent) => void): void;
  addEventListener(
    type: "fetch", act: (event: WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;
}

// --- reply trees: docs/tree.md, docs/board.md ------------------------------------------------------

interface ReplyTree {
  result: "mate" | "no_mate" | "unresolved";
  turns: TreeTurn[];
}

type LoadMore = (moves: string[]) => Promise<ReplyTree | null>; // the tree after some moves

// What each move of a position leads to, the attacker's checks or the defender's answers.
interface Choices {
  side: "attacker" | "defender";
  choices: Choice[];
}

interface Choice {
  move: string;
  text: Localized;
  result: "mates" | "fails" | "open";
  length?: number;
  best?: boolean;
  futile?: boolean;
}

interface TreeTurn {
  key: string | null;
  checks: TreeCheck[];
}

type TreeCheck = { move: string; text: Localized } & (
  | { result: "mates"; rank: "key" | "form" | "as_soon" | "later"; answers: TreeAnswer[] }
  | { result: "fails"; answer: string; answer_text: Localized; why: Localized; proof_text?: Localized }
  | { result: "open" }
);

interface TreeAnswer {
  move: string;
  text: Localized;
  best?: true;
  turn?: number;
}

// --- training: docs/board.md -------------------------------------------------------------------------

type RunMode = Exclude<Mode, "free">;
type TimedMode = "timed" | "ten_minutes" | "survival"; // three minutes, ten, until the third mistake

interface Identity {
  person: { name: string; rating: number; deviation: number } | null;
  sign_up: boolean;
  keeps: "server" | "browser";
}

interface ClassPupil {
  id: number;
  name: string;
  rating: number;
  deviation: number;
  stars: number;
  tried: number; // these three in the last seven days
  solved: number;
  failed: number;
  last: string | null;
  list: ("solved" | "helped" | "failed" | "open")[]; // of each problem of the class
}

interface TrainingClass {
  id: number;
  name: string;
  teacher: string;
  teaches: boolean;
  title: string;
  problems: number[];
  pupils: ClassPupil[]; // all to the teacher, else the one who asks
}

interface TrainingProblem {
  id: number;
  sfen: string;
  length: number;
  stars: number;
  rating: number;
  title: string;
  mate_in: string;
  themes: string[]; // empty from a server
  tags?: string[]; // not from a server
  page?: string; // the address of an exercise from one's own games, which has no page of its own
}

interface TrainingWish {
  mode: RunMode;
  theme?: string[]; // one of these
  tag?: string;
  moves?: number[]; // one of these
  unsolved?: boolean;
  not?: number[];
  solved?: number;
  day?: string;
}

interface NextProblem {
  problem: TrainingProblem | null;
  reason?: string;
  due_at: string | null;
}

type TrainingResult = Result & {
  problem: string; sfen: string; length: number; rating: number; mode: Mode; day?: string;
  continues?: boolean; completes?: number; // the end of an attempt that was settled; the number of that result
};

interface Recorded {
  result?: number; // its number on a server
  rated: boolean;
  before: number;
  after: number;
  deviation: number;
  due: string;
}

interface Tally {
  tried: number;
  clean: number;
  solved: number;
}

type DayResult = [day: string, problem: number, solved: boolean, clean: boolean];

interface Progress {
  rating: number;
  deviation: number;
  history: [day: string, rating: number][];
  results: number;
  streak: number;
  solved: number;
  due: number;
  next_due: string | null;
  by_length: (Tally & { length: number })[];
  by_theme: (Tally & { theme: string; name: Localized | string })[];
  days: DayResult[];
  runs: Record<TimedMode, number | null>;
  solved_ids: number[];
  tried: { problem: number; solved: boolean; failed: boolean; themes: string[] }[]; // the last one first
}

interface Trainer {
  me(): Promise<Identity>;
  next(wish: TrainingWish): Promise<NextProblem>;
  problems(ids: number[]): Promise<TrainingProblem[]>;
  record(result: TrainingResult): Promise<Recorded | null>;
  recordRun(mode: TimedMode, solved: number, seconds: number): Promise<{ best: number; is_best: boolean }>;
  progress(): Promise<Progress>;
}

interface ServerTrainer extends Trainer {
  csv(): Promise<string>;
  sign(address: "/api/persons" | "/api/session", name: string, passphrase: string): Promise<Identity>;
  signOut(): Promise<Identity>;
}

// --- answers of the API: docs/board.md ---------------------------------------------------------------

interface ErrorAnswer {
  error?: string | Localized;
  code?: string;
  final?: boolean;
  judgement?: Judgement;
}

interface GivenLine {
  line: string[];
  reading: string | null;
  wrong_at: number | null; // of the first wrong move, from 1
  better: string[]; // the moves from it on
  beginning_of: number | null; // the length of the line that it begins
  parts_at: number | null; // where it leaves the solver's line
  text: Localized; // what it is worth; empty for the solver's line
}

interface Judgement {
  unresolved: boolean; // a limit was reached before a verdict
  sfen: string;
  length?: number | null;
  grade: "perfect" | "sound" | "unsound" | null;
  headline: Localized;
  texts?: Record<Language, string[]>;
  line: string[];
  faults: string[];
  findings: Finding[];
  given?: GivenLine | null;
  quality?: number | null;
  likeness?: number | null;
  themes: string[];
}

interface Finding {
  defect?: string;
  remark?: string;
  text: Localized;
  line: string;
  turn?: number | null;
  class?: string | null;
  joins?: number | null;
  proved?: boolean | null;
  smaller?: string | null;
}

// What the solver in the browser explains: the answer `explain` in browser/api/tsume.d.ts.
interface Explanation {
  complete: boolean;
  turns: ExplainedTurn[];
}

interface ExplainedTurn {
  turn: number;
  path: string[];
  length: number | null;
  key: string | null;
  variations: { answers: string[]; line: string[]; total: number; leftover: string }[];
  futile: { drops: string[]; take: string }[];
  tries: { check: string; answer: string; proof: "no_check" | "any_length" | "bounded"; within: number | null; only: boolean | null; cause: { kind: string; line: string[] } | null }[];
  others: { check: string; length: number | null }[];
}

interface Find {
  event: "repair" | "suggestion" | "problem";
  sfen: string;
  line?: string[];
  text?: Localized;
  length?: number;
  grade?: string | null;
  rating?: number;
  stars?: number;
  rank_in_length?: number;
  quality?: number | null;
  gain?: number | null;
  blemishes?: string[];
}

type JobEvent =
  | Find
  | { event: "progress"; roots: number; found: number; seconds: number }
  | { event: "end"; complete: boolean; reason?: "perfect" | "unsound"; text?: Localized; error?: unknown };

// --- events of the boards ------------------------------------------------------------------------------

interface Edit {
  position: Position;
  rest: boolean;
  message: string;
}

interface HTMLElementEventMap {
  say: CustomEvent<string>;
  move: CustomEvent<string>;
  refuse: CustomEvent<undefined>;
  edit: CustomEvent<Edit>;
  leave: CustomEvent<null>;
}
