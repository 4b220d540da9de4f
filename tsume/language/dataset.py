"""The phrases of the data card that `tsume export --format parquet` writes."""

from __future__ import annotations

_TEXTS: dict[str, tuple[str, str]] = {
    "title": ("詰将棋の問題集（tsume による検証済み）", "Tsume-shogi problems, proved by tsume"),
    "head": (
        "詰将棋 {number}題です。攻方が王手の連続で玉を詰めます。どの問題も、正解が一つしかないことをプロ"
        "グラムが証明しています。一題が一行で、初形、作意、難易度、手筋、出所を含みます。",
        "{number} tsume-shogi problems (詰将棋): shogi positions in which the attacker mates with checks "
        "only, whatever the defender does. A program proved of each that it has one solution. A row is a "
        "problem: its position, its line, how hard it is, what happens in it, and where it comes from.",
    ),
    "head_sizes": ("## 手数と題数", "## Sizes"),
    "size_heads": ("構成|手数|題数|平均難易度", "configuration|moves|problems|mean score"),
    "all_of_them": (
        "構成 `{config}` は全ての手数を含みます。分割は `train` だけです。手数は双方の指し手を数えます（3"
        "手詰＝攻方2手、玉方1手）。",
        "The configuration `{config}` has all lengths. `train` is the only split. Moves are those of one "
        "side, as is the custom: a mate in 3 has two of the attacker's and one answer.",
    ),
    "one_length": (
        "分割は `train` だけです。手数は双方の指し手を数えます（3手詰＝攻方2手、玉方1手）。",
        "`train` is the only split. Moves are those of one side, as is the custom: a mate in 3 has two "
        "of the attacker's and one answer.",
    ),
    "head_reading": ("## 読み方", "## Reading it"),
    "reading": (
        "`PATH` はこのフォルダー、または公開先の名前です。",
        "`PATH` is this folder; for `load_dataset` also the name under which a hub has it.",
    ),
    "head_example": ("### 例", "### An example"),
    "notation": (
        "1行目は SFEN（先手が攻方で手番、残りの駒は後手の持駒に含まれる）、2行目は USI の指し手です: "
        "`7g7f` は移動、`2b3a+` は成、`G*5b` は持駒を打つ手です。",
        "The first line is SFEN, shogi's FEN: Black (the attacker) is to move, and all pieces that are "
        "neither on the board nor in Black's hand are in White's. The second line is the solution in "
        "USI: `7g7f` moves a piece, `2b3a+` promotes it, `G*5b` drops a gold from the hand.",
    ),
    "head_proofs": ("## 検証", "## How the problems are verified"),
    "proved": (
        "tsume は全ての王手と全ての応手を調べ尽くして証明します。探索が制限に達した場合に「詰まない」とみ"
        "なすことはありません。規則の正確な定義は tsume の docs/rules.md にあります。判定は次のとおりです"
        "。",
        "tsume searches every check and every answer. What it says is a proof by its rules, which "
        'docs/rules.md of tsume defines exactly; a search that reaches a limit never counts as "no '
        'mate". The grades:',
    ),
    "perfect": (
        "- `perfect`（完全作）: {number}題。手数が最短で、最終手を除く攻方の各手番で詰む王手が一つしかな"
        "く（何手かけても余詰がなく、非限定もない）、同手数の変化でもそうであり、駒が余らず、不要な駒もな"
        "い。",
        "- `perfect` (完全作): {number} problems. The length is that of the shortest mate. At each of "
        "the attacker's turns but the last, only one check mates, at any length and in one form only; so "
        "it is along every defence that lasts as long. Nothing is left in the attacker's hand, and no "
        "piece could be removed.",
    ),
    "sound": (
        "- `sound`（キズあり）: {number}題。作意が唯一の解だが、`blemishes` に挙げたキズがある。",
        "- `sound`: {number} problems. The line is the only solution, but something mars the problem (キ"
        "ズ), which `blemishes` names.",
    ),
    "futile": (
        "**無駄合。** 取られるだけで何も変わらない合駒（無駄合）は手数に数えません。何を無駄合とするかに"
        "は流儀があるため、狭い・広い・全て数える、の三つの解釈を比べます。`perfect` では作意のどの手番で"
        "もその答えが一致します。一致しなければ `GREY_INTERPOSITION` です。",
        "**Futile interpositions (無駄合).** A piece dropped in the way of a check that is taken and "
        "changes nothing does not count as a move. Customs differ in what exactly is futile, so three "
        "readings are compared: narrow, wide, and every interposition counted. In a `perfect` problem "
        "they agree on the length and on the checks that mate at every turn of the line; where they do "
        "not, the blemish is `GREY_INTERPOSITION`.",
    ),
    "searched": (
        "**どこまで調べたか。** {number}題では、余詰は何手かけても存在しません（`searched` が null）。",
        "**How far.** Of {number} problems it is proved that no second solution exists at any length "
        "(`searched` is null).",
    ),
    "searched_to": (
        "ほかの{number}題では、初手から`searched`手（{least}～{most}）までに余詰がないことだけが証明され"
        "ています。",
        "Of the other {number} it is proved up to `searched` moves from the first one ({least} to {most}).",
    ),
    "head_columns": ("## 列", "## Columns"),
    "column_heads": ("列|型|意味", "column|type|meaning"),
    "head_features": ("### 難易度の特徴量", "### Features of the difficulty"),
    "feature_heads": ("列|意味", "column|meaning"),
    "features": (
        "いずれも float64 で、難易度を付けた版が求めていないものは null です。全て探索と手順から正確に計"
        "算したもので、人の評価ではありません。",
        "All are float64, null where the version that scored the problem did not compute it. They are "
        "computed from the search and the line; none is a rating by people.",
    ),
    "head_words": ("### 語の意味", "### Words in the columns"),
    "theme_heads": ("`themes`|題数|名前|意味", "`themes`|problems|name|meaning"),
    "blemish_heads": ("`blemishes`|意味", "`blemishes`|meaning"),
    "remark_heads": ("`remarks`|意味", "`remarks`|meaning"),
    "head_origin": ("## 出所", "## Where they come from"),
    "composed": (
        "{number}題は tsume が創作しました。同じ版・レシピ・シード・条件なら、同じ問題がもう一度できます。",
        "{number} were composed by tsume. The same version, recipe, seed and options compose the same "
        "problems again. (The recipe is a number that rises whenever a seed gives other problems.)",
    ),
    "origin_heads": ("シード|手数|版|レシピ|題数", "seed|moves|version|recipe|problems"),
    "more_runs": ("ほかに{number}行あります。", "There are {number} rows more."),
    "again": (
        "創作の条件は `{file}` にあります（一行が一回の創作、JSON）。",
        "The options of each run are in `{file}`, a JSON object a line.",
    ),
    "imported": (
        "{number}題はほかから取り込んで検証したものです（`seed` が null）。",
        "{number} were imported, and verified like the others (`seed` is null).",
    ),
    "made_by": (
        "検証と採点: {judges}。この表は {program} が作りました。",
        "Verified and scored by {judges}. These tables were written by {program}.",
    ),
    "head_limits": ("## 注意", "## Limits"),
    "limits": (
        "- `score` と `stars` は探索の手間から求めた目安で、人が解いた記録に基づくものではありません。版"
        "が違えば比べられません。\n"
        "- `quality` は手順の内容から求めた点数で、人の評価ではありません。\n"
        "- 左右を反転した局面は同じ問題とみなし、一度だけ載せています。`id` はこの集合の中でだけ意味があ"
        "ります。\n"
        "- 行の順は選び方によります。学習用と評価用に分けるときは、似た問題が同じ系統（`seed` と "
        "`root_index`）から生まれることに注意してください。",
        "- `score` and `stars` are estimates from how much a program has to search. They do not rest on "
        "people solving the problems, and scores of different versions are not comparable.\n"
        "- `quality` is computed from what happens in the line. No person judged it.\n"
        "- Mirror images are one problem and are here once. An `id` means something within this set "
        "only.\n"
        "- Problems that grew from one root (`seed` and `root_index`) are often alike: keep them "
        "together when you split the rows for training and testing.",
    ),
    "head_licence": ("## 利用条件", "## Licence"),
    "licence": ("`{name}` のもとで利用できます。", "The problems may be used under `{name}`."),
    "terms": ("[{file}]({file}) にあります。", "The terms are in [{file}]({file})."),
    "no_terms": (
        "公開者は、どのような条件で使えるかを示していません。",
        "Whoever published this set has not said under which terms it may be used.",
    ),
}

_COLUMNS: dict[str, tuple[str, str]] = {
    "id": ("この集合での番号", "number of the problem within this set"),
    "sfen": ("初形（SFEN、攻方は先手で手番）", "position in SFEN; Black attacks and is to move"),
    "line": ("作意（USI の指し手）", "the main line: moves in USI, the attacker's first"),
    "length": ("手数（双方の指し手）", "moves of the shortest mate, of both sides"),
    "score": ("難易度の推定値。上限なし", "estimate of the difficulty on an open scale"),
    "stars": (
        "同じ手数の発表作と比べた難易度、1～5",
        "difficulty among published problems of the same length, 1 to 5",
    ),
    "quality": ("手順の内容の点数、0～100", "points for what happens in the line, 0 to 100"),
    "themes": ("手筋（下の表）", "what the line shows, in the words below"),
    "grade": ("`perfect`（完全作）または `sound`（キズあり）", "`perfect` or `sound`"),
    "blemishes": ("キズ（下の表）", "what mars the problem, in the words below"),
    "remarks": ("キズではない備考（下の表）", "what was found and is no defect, in the words below"),
    "searched": (
        "余詰を調べた手数。null は何手でも",
        "moves up to which second solutions were looked for; null: at any length",
    ),
    "same_when_counted": (
        "全ての合駒を数えても手数と作意が変わらないか。null は不明",
        "whether length and line stay the same if every interposition counts; null: not known",
    ),
    "board_pieces": ("盤上の駒数（玉を含む）", "pieces on the board, kings included"),
    "hand_pieces": ("攻方の持駒の数", "pieces in the attacker's hand"),
    "title": ("題名。なければ null", "title, null without one"),
    "author": ("作者。なければ null", "author, null without one"),
    "source": ("出典。なければ null", "where it was published, null if that is not known"),
    "version_of": ("この問題の元になった問題の `id`", "the `id` of the problem of which this is a version"),
    "seed": (
        "創作した乱数のシード（十進数の文字列）。取り込んだ問題は null",
        "seed of the run that composed it, in decimal digits (up to 128 bits); null: imported",
    ),
    "root_index": ("そのシードでの系統の番号", "number of the root in that run from which it grew"),
    "recipe": ("創作のレシピの番号", "number of the recipe by which it was composed"),
    "version": ("検証した tsume の版", "version of tsume that verified and scored it"),
}

_FEATURES: dict[str, tuple[str, str]] = {
    "length": ("手数", "moves of both sides"),
    "pieces": ("盤上と攻方の持駒の枚数", "pieces on the board and in the attacker's hand"),
    "log_proof_tree": ("証明木の局面数の log2", "log2 of the positions in a proof tree"),
    "log_peak_proof_number": (
        "log2(1 + 探索中の根の証明数の最大値)",
        "log2(1 + the largest proof number of the root while df-pn proves the mate)",
    ),
    "log_refutation_work": (
        "log2(1 + 詰まない初手すべてを否定する節点数)",
        "log2(1 + nodes that refute all wrong first checks)",
    ),
    "hardest_try": (
        "log2(1 + 最も手間のかかる紛れを否定する節点数)",
        "log2(1 + nodes that refute the most stubborn wrong first check)",
    ),
    "refutation_depth": (
        "詰まない初手が続かなくなるまでの平均手数",
        "mean depth in moves at which wrong first checks fail",
    ),
    "checks_per_turn": (
        "証明木の攻方の手番ごとの王手の数",
        "legal checks at each of the attacker's turns of the proof tree",
    ),
    "answers_per_check": ("証明木の王手ごとの応手の数", "answers to each check of the proof tree"),
    "king_freedom": ("玉の動ける升の平均", "legal moves of the king before each check, on average"),
    "open_squares": ("詰上りで玉の周りの空いた升", "empty squares next to the king at the mate"),
    "sacrifices": ("次の応手で取られる攻方の手", "attacker's moves whose piece is taken at once"),
    "quiet_moves": (
        "駒を取らず、捨てず、玉に接しない攻方の手",
        "attacker's moves that take nothing, give nothing away and stay clear of the king",
    ),
    "non_promotions": ("不成の手", "attacker's moves that could promote and do not"),
    "distant_drops": (
        "香・角・飛を玉から離して打つ手",
        "drops of a lance, bishop or rook away from the king",
    ),
    "captures": ("駒を取る攻方の手", "attacker's moves that take a piece"),
}

PHRASES: dict[str, tuple[str, str]] = {
    **_TEXTS,
    **{f"column_{name}": texts for name, texts in _COLUMNS.items()},
    **{f"feature_{name}": texts for name, texts in _FEATURES.items()},
}
