// What the scripts get from outside: generated scripts, the server's answers, events of the boards.

type Language = "ja" | "en";
type Localized = Record<Language, string>;
type Signs = "kanji" | "letters";

// --- generated scripts ---------------------------------------------------------------------------

declare var TSUME_WORDS: Record<Language, Record<string, string>>;
declare var TSUME_PIECES: Record<string, { edge: string; kanji: string; letters: string; name: Localized }>;
declare var TSUME_DAYS: [number: number, moves: number, stars: number][];

interface Window {
  TsumeTree?: (tree: ReplyTree) => void; // called by the script of a tree
  // tree_request.js or tree_script.js, which has the whole tree
  TsumeTrees: { load(address: string): Promise<ReplyTree>; loadAfter?(address: string, moves: string[]): Promise<ReplyTree> };
}

// --- reply trees: docs/tree.md, docs/board.md ------------------------------------------------------

interface ReplyTree {
  result: "mate" | "no_mate" | "unresolved";
  turns: TreeTurn[];
}

type LoadMore = (moves: string[]) => Promise<ReplyTree>; // the tree after some moves

interface TreeTurn {
  key: string | null;
  checks: TreeCheck[];
}

type TreeCheck = { move: string; text: Localized } & (
  | { result: "mates"; rank: "key" | "form" | "as_soon" | "later"; answers: TreeAnswer[] }
  | { result: "fails"; answer: string; answer_text: Localized; why: Localized }
  | { result: "open" }
);

interface TreeAnswer {
  move: string;
  text: Localized;
  best?: true;
  turn?: number;
}

// --- answers of the API: docs/board.md ---------------------------------------------------------------

interface ErrorAnswer {
  error?: string | Localized;
  code?: string;
  final?: boolean;
  judgement?: Judgement;
}

interface Judgement {
  grade: "perfect" | "sound" | "unsound" | null;
  headline: Localized;
  texts?: Record<Language, string[]>;
  line: string[];
  faults: string[];
  findings: Finding[];
  given?: { line: string[]; reading: string | null; wrong_at: number } | null;
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

interface Find {
  event: "repair" | "suggestion" | "problem";
  sfen: string;
  line?: string[];
  text?: Localized;
  length?: number;
  grade?: string | null;
  stars?: number;
  quality?: number | null;
  gain?: number | null;
}

type JobEvent =
  | Find
  | { event: "progress"; roots: number; found: number; seconds: number }
  | { event: "end"; complete: boolean; error?: unknown };

// --- events of the boards ------------------------------------------------------------------------------

interface Edit {
  position: Position;
  rest: boolean;
  message: string;
}

interface HTMLElementEventMap {
  say: CustomEvent<string>;
  move: CustomEvent<string>;
  edit: CustomEvent<Edit>;
  leave: CustomEvent<null>;
}
