# SPDX-License-Identifier: GPL-3.0-or-later
"""The words in what is published: booklets, flash cards, pictures, data sets."""

from __future__ import annotations

BOOK: dict[str, tuple[str, str]] = {
    "title": ("詰将棋集", "Tsume-shogi problems"),
    "subtitle": ("全{number}題", "{number} problems"),
    "contents": ("目次", "Contents"),
    "answers": ("解答", "Answers"),
    "index": ("手筋索引", "Index of themes"),
    "made_by": ("{program}で作成・検討", "Created and checked by {program}"),
    "number": ("第{number}番", "No. {number}"),
    "page": ("{number}ページ", "Page {number}"),
    "final": ("詰上り図", "Final position"),
    "alt": ("第{number}番、{caption}。", "No. {number}, {caption}. "),
    "final_alt": ("第{number}番、{caption}の詰上り図。", "No. {number}, {caption}: final position. "),
    # an answer
    "line": ("{moves}まで{length}手詰", "{moves} mate in {length}."),
    "variations": ("変化", "Variations"),
    "tries": ("紛れ", "Tries"),
    "blemishes": ("キズ", "Blemishes"),
    "themes": ("手筋", "Themes"),
    "difficulty": ("難易度", "Difficulty"),
    "comment": ("解説", "Comment"),
    "source": ("出典", "Source"),
    "collection": ("tsume 第二集", "tsume, second collection"),
    "variation": (
        "{number}手目{answer}は{line}まで{total}手",
        "Move {number}, {answer} is met by {line}: {total} moves.",
    ),
    "no_check": (
        "{number}手目{check}は{answer}（{manner}）で王手が続かない",
        "Move {number}, {check} fails to {answer} ({manner}): no further check.",
    ),
    "any_length": (
        "{number}手目{check}は{answer}（{manner}）で詰まない",
        "Move {number}, {check} fails to {answer} ({manner}): no mate.",
    ),
}


# --- the words on flash cards ----------------------------------------------------------------------

CARDS: dict[str, tuple[str, str]] = {
    "deck": ("詰将棋", "Tsume-shogi"),
    "subdeck": ("{length:02}手詰", "Mate in {length:02}"),
    # the question
    "side": ("攻方（手前）の手番です", "Attacker (below) to move"),
    "start": ("{caption}の図面。{words}", "{caption}. {words}"),
    # the answer
    "end": ("詰上り図。{words}", "The final position. {words}"),
    "ply": ("{number}手目", "{number}."),
    "last": ("{move} まで{number}手詰", "{number}. {move} mate"),
    "variations": ("変化", "Variations"),
    "answer": ("{answer}は", "{answer}"),
    "last_of_variation": ("{move} まで{number}手", "{number}. {move} mate"),
    # about the problem
    "difficulty": ("難易度", "Difficulty"),
    "themes": ("手筋", "Themes"),
    "title": ("作品名", "Title"),
    "author": ("作者", "Author"),
    "source": ("出典", "Source"),
}


# --- the words on pictures, and those that describe a picture to people who do not see it ----------

PICTURES: dict[str, tuple[str, str]] = {
    "mate_in": ("{length}手詰", "Mate in {length}"),
    "position": ("詰将棋の図面", "A tsume-shogi position"),
    "hand_head": ("持駒", "in hand"),
    "none": ("なし", "none"),
    "nothing": ("なし", "none"),
    "attacker": ("攻方は{pieces}。", "Attacker: {pieces}."),
    "defender": ("玉方は{pieces}。", "Defender: {pieces}."),
    "in_hand": ("持駒は{pieces}。", "In hand: {pieces}."),
    "defender_in_hand": ("玉方の持駒は{pieces}。", "In the defender's hand: {pieces}."),
    "played": ("{number}手目　{move}", "{number}. {move}"),
    "last_played": ("{move}まで{number}手詰", "{number}. {move} mate"),
    "last_move": ("最終手は{square}。", "Last move to {square}."),
}


# --- the phrases of the data card that `tsume export --format parquet` writes ----------------------

_TEXTS: dict[str, tuple[str, str]] = {
    "title": ("詰将棋の問題集（tsume による検証済み）", "Tsume-shogi problems, proved by tsume"),
    "head": (
        "詰将棋{number}題のデータセットです。詰将棋では、攻方が王手の連続で玉を詰めます。どの問題"
        "も、解が一つしかないことをプログラムが証明しています。1行が1題で、初形・作意・難易度・手"
        "筋・出所を含みます。",
        "{number} tsume-shogi problems (詰将棋): shogi positions in which the attacker mates by "
        "checks alone, whatever the defender does. A program has proved that each of them has "
        "exactly one solution. Each row is a problem: its position, solution, difficulty, themes "
        "and origin.",
    ),
    "head_sizes": ("## 手数と題数", "## Sizes"),
    "size_heads": ("構成|手数|題数|平均難易度", "configuration|moves|problems|mean score"),
    "all_of_them": (
        "構成 `{config}` は全ての手数を含みます。分割は `train` だけです。手数は双方の指し手を数"
        "えます（3手詰＝攻方2手、玉方1手）。",
        "The configuration `{config}` has all lengths. `train` is the only split. Moves of both "
        "sides count: a mate in 3 is two moves of the attacker and one answer.",
    ),
    "one_length": (
        "分割は `train` だけです。手数は双方の指し手を数えます（3手詰＝攻方2手、玉方1手）。",
        "`train` is the only split. Moves of both sides count: a mate in 3 is two moves of the "
        "attacker and one answer.",
    ),
    "head_reading": ("## 読み込み方", "## Loading the data"),
    "reading": (
        "`PATH` はこのフォルダーのパスです。公開されていれば、その名前でもかまいません。",
        "`PATH` is this folder or, for `load_dataset`, the name under which a hub hosts it.",
    ),
    "head_example": ("### 例", "### An example"),
    "notation": (
        "1行目は SFEN です。先手が攻方で手番を持ち、残りの駒はすべて後手の持駒です。2行目は USI "
        "の指し手で、`7g7f` は移動、`2b3a+` は成、`G*5b` は持駒を打つ手です。",
        "The first line is SFEN, the FEN of shogi: Black is the attacker and moves first; all "
        "pieces that are neither on the board nor in Black's hand are in White's. The second "
        "line is the solution in USI: `7g7f` moves a piece, `2b3a+` moves and promotes, `G*5b` "
        "drops a gold from the hand.",
    ),
    "head_proofs": ("## 検証", "## How the problems are verified"),
    "proved": (
        "tsume は全ての王手と全ての応手を調べ尽くして証明します。探索が制限に達しても、「詰まない"
        "」とみなすことはありません。規則の正確な定義は tsume の docs/rules.md にあります。判定は"
        "次の二つです。",
        "tsume searches every check and every answer. Its results are proofs under the rules "
        'defined in docs/rules.md of tsume; a search that reaches a limit never counts as "no '
        'mate". The grades:',
    ),
    "perfect": (
        "- `perfect`（完全作）: {number}題。最短の手数で詰む。最終手を除く攻方の各手番で、詰む王"
        "手が一つしかない（何手かけても余詰がなく、非限定もない）。同手数の変化でも同じである。駒"
        "が余らず、不要駒もない。",
        "- `perfect` (完全作): {number} problems. The length is that of the shortest mate. At "
        "each of the attacker's turns but the last, only one check mates, at any length and in "
        "one form only; the same holds along every defence of equal length. Nothing is left in "
        "the attacker's hand, and no piece can be removed.",
    ),
    "sound": (
        "- `sound`（キズあり）: {number}題。作意が唯一の解だが、`blemishes` に挙げたキズがある。",
        "- `sound`: {number} problems. The line is the only solution, but the problem has "
        "blemishes (キズ), listed in `blemishes`.",
    ),
    "futile": (
        "**無駄合。** 取られるだけで手順の変わらない合駒（無駄合）は手数に数えません。何を無駄合"
        "とするかには諸説があるため、狭義・広義・全て数える、の三つの解釈を比べます。`perfect` で"
        "は、作意のどの手番でも答えが一致します。一致しなければ `GREY_INTERPOSITION` です。",
        "**Futile interpositions (無駄合).** A piece dropped between king and checker that is "
        "captured without changing anything does not count as a move. Conventions differ on what "
        "exactly is futile, so three readings are compared: narrow, wide, and every "
        "interposition counted. In a `perfect` problem they agree, at every turn of the line, on "
        "the length and on the checks that mate; where they do not, the blemish is "
        "`GREY_INTERPOSITION`.",
    ),
    "searched": (
        "**検討の範囲。** {number}題では、何手かけても余詰がないことが証明されています（`searched` が null）。",
        "**Search range.** For {number} problems it is proved that no second solution exists at "
        "any length (`searched` is null).",
    ),
    "searched_to": (
        "ほかの{number}題では、初手から`searched`手（{least}～{most}）までに余詰がないことだけが証明されています。",
        "For the other {number} it is proved up to `searched` moves from the first move ({least} to {most}).",
    ),
    "head_columns": ("## 列", "## Columns"),
    "column_heads": ("列|型|意味", "column|type|meaning"),
    "head_features": ("### 難易度の特徴量", "### Features of the difficulty"),
    "feature_heads": ("列|意味", "column|meaning"),
    "features": (
        "いずれも float64 です。採点した版が計算していないものは null です。全て探索と手順から正"
        "確に計算したもので、人の評価ではありません。",
        "All are float64, or null where the version that scored the problem did not compute "
        "them. They are computed from the search and the line; none is a human rating.",
    ),
    "head_words": ("### 列の値の意味", "### Values in the columns"),
    "theme_heads": ("`themes`|題数|名前|意味", "`themes`|problems|name|meaning"),
    "blemish_heads": ("`blemishes`|意味", "`blemishes`|meaning"),
    "remark_heads": ("`remarks`|意味", "`remarks`|meaning"),
    "head_origin": ("## 出所", "## Origin"),
    "composed": (
        "{number}題は tsume が創作しました。同じ版、同じ創作エンジン版、同じシード、同じ条件なら"
        "、同じ問題を再現できます（創作エンジン版は、シードから得られる問題が変わるたびに上がる番"
        "号です）。",
        "{number} were composed by tsume. The same version, generator version, seed and options "
        "reproduce the same problems. (The generator version rises whenever a seed yields "
        "different problems.)",
    ),
    "origin_heads": ("シード|手数|版|創作エンジン版|題数", "seed|moves|version|generator version|problems"),
    "more_runs": ("ほかに{number}行あります。", "{number} more rows are not shown."),
    "again": (
        "創作の条件は `{file}` にあります（1行が1回の実行、JSON）。",
        "The options of each run are in `{file}`, one JSON object per line.",
    ),
    "imported": (
        "{number}題はほかから取り込み、同じように検証したものです（`seed` が null）。",
        "{number} were imported and verified in the same way (`seed` is null).",
    ),
    "made_by": (
        "検証と採点: {judges}。作成: {program}。",
        "Verified and scored by {judges}. Tables written by {program}.",
    ),
    "head_limits": ("## 注意", "## Limits"),
    "limits": (
        "- `score` と `stars` は探索の手間から求めた目安で、人が解いた記録に基づくものではありま"
        "せん。異なる版の値は比べられません。\n- `quality` は手順の内容から計算した点数で、人の評"
        "価ではありません。\n- 左右を反転した局面は同じ問題とみなし、一度だけ載せています。`id` "
        "はこのデータセットの中でだけ意味を持ちます。\n- 同じ試行（`seed` と `root_index`）から生"
        "まれた問題は、似ていることが多くあります。学習用と評価用に分けるときは、同じ側に入れてく"
        "ださい。",
        "- `score` and `stars` are estimates based on how much a program has to search. They are "
        "not based on people solving the problems, and scores of different versions are not "
        "comparable.\n- `quality` is computed from the line. It is not a human judgement.\n- "
        "Mirror images count as one problem and appear once. An `id` is meaningful only within "
        "this set.\n- Problems from the same root (`seed` and `root_index`) are often alike: "
        "keep them together when you split the rows for training and testing.",
    ),
    "head_licence": ("## 利用条件", "## Licence"),
    "licence": ("`{name}` のもとで利用できます。", "The problems may be used under `{name}`."),
    "terms": ("[{file}]({file}) にあります。", "The terms are in [{file}]({file})."),
    "no_terms": ("公開者は、利用条件を示していません。", "The publisher of this set has not stated its terms of use."),
}

_COLUMNS: dict[str, tuple[str, str]] = {
    "id": ("この集合での番号", "number of the problem within this set"),
    "sfen": ("初形（SFEN、先手が攻方で手番）", "position in SFEN; Black is the attacker and moves first"),
    "line": ("作意（USI の指し手）", "main line as USI moves, the attacker's first"),
    "length": ("手数（双方の指し手）", "moves of the shortest mate, of both sides"),
    "score": ("難易度の推定値。上限なし", "estimated difficulty on an open-ended scale"),
    "rating": (
        "難易度（全手数に共通のレート、600～2600）",
        "difficulty as a rating, 600 to 2600, on one scale for all lengths",
    ),
    "stars": ("そのレートの段階、1～5", "steps of this rating, 1 to 5"),
    "rank_in_length": (
        "同じ手数の発表作の中での難しさ、1～5",
        "difficulty among published problems of the same length, 1 to 5",
    ),
    "proof_tree": ("証明木の局面数。null は不明", "positions of a proof tree; null if unknown"),
    "quality": ("手順の内容の点数、0～100", "points for the content of the line, 0 to 100"),
    "themes": ("手筋（下の表）", "themes, from the table below"),
    "grade": ("`perfect`（完全作）または `sound`（キズあり）", "`perfect` or `sound`"),
    "blemishes": ("キズ（下の表）", "blemishes, from the table below"),
    "remarks": ("キズではない備考（下の表）", "findings that are not defects, from the table below"),
    "searched": (
        "余詰を調べた手数。null は何手でも",
        "moves up to which second solutions were looked for; null: at any length",
    ),
    "same_when_counted": (
        "全ての合駒を数えても手数と作意が変わらないか。null は不明",
        "whether length and line stay the same if every interposition counts; null if unknown",
    ),
    "board_pieces": ("盤上の駒数（玉を含む）", "pieces on the board, kings included"),
    "hand_pieces": ("攻方の持駒の数", "pieces in the attacker's hand"),
    "title": ("題名。なければ null", "title, null without one"),
    "author": ("作者。なければ null", "author, null without one"),
    "source": ("出典。なければ null", "where it was published; null if unknown"),
    "version_of": ("この問題の元になった問題の `id`", "the `id` of the problem of which this is a version"),
    "seed": (
        "創作した実行のシード（十進数の文字列）。取り込んだ問題は null",
        "seed of the run that composed it, as decimal digits (up to 128 bits); null if imported",
    ),
    "root_index": ("その実行での試行の番号", "number of the root in that run"),
    "recipe": ("創作エンジンの版の番号", "generator version that composed it"),
    "version": ("検証と採点をした tsume の版", "version of tsume that verified and scored it"),
}

_FEATURES: dict[str, tuple[str, str]] = {
    "length": ("手数", "moves of both sides"),
    "pieces": ("盤上と攻方の持駒の枚数", "pieces on the board and in the attacker's hand"),
    "log_proof_tree": ("証明木の局面数の log2", "log2 of the positions in a proof tree"),
    "decided_positions": (
        "証明木の局面数（同じ局面は一度だけ数える）",
        "positions of the proof tree, each turn counted once",
    ),
    "variations": ("証明木の手順の数", "lines of the proof tree"),
    "material_given": ("捨てる駒の点数の和", "points of the pieces given away"),
    "attackers": ("盤上の攻方の駒数", "the attacker's pieces on the board"),
    "king_from_edges": ("玉の盤端からの距離の和", "the king's distance from the edges"),
    "log_peak_proof_number": (
        "log2(1 + 探索中の根の証明数の最大値)",
        "log2(1 + the largest proof number of the root while df-pn proves the mate)",
    ),
    "log_refutation_work": (
        "log2(1 + 詰まない初手すべてを否定する節点数)",
        "log2(1 + nodes that refute all wrong first checks)",
    ),
    "hardest_try": ("log2(1 + 最も手間のかかる紛れを否定する節点数)", "log2(1 + nodes that refute the hardest try)"),
    "refutation_depth": (
        "詰まない初手で王手が続かなくなるまでの平均手数",
        "mean depth in moves at which wrong first checks fail",
    ),
    "checks_per_turn": (
        "証明木の攻方の手番ごとの王手の数",
        "legal checks at each of the attacker's turns of the proof tree",
    ),
    "answers_per_check": ("証明木の王手ごとの応手の数", "answers to each check of the proof tree"),
    "king_freedom": ("王手の前に玉が動ける升の数の平均", "legal moves of the king before each check, on average"),
    "open_squares": ("詰上りで玉の周りにある空き升の数", "empty squares next to the king at mate"),
    "sacrifices": ("捨駒の数（次の応手で取られる攻方の手）", "attacker's moves whose piece is captured at once"),
    "quiet_moves": (
        "駒を取らず、捨てず、玉に接しない攻方の手の数",
        "attacker's moves that capture nothing, sacrifice nothing and stay clear of the king",
    ),
    "non_promotions": ("不成の数", "attacker's moves that could promote and do not"),
    "distant_drops": ("香・角・飛を玉から離して打つ手の数", "drops of a lance, bishop or rook away from the king"),
    "captures": ("駒を取る攻方の手の数", "attacker's captures"),
    "resistance": (
        "log2(1 + 最も手ごわい紛れの不詰を示す節点数、十万まで)",
        "log2(1 + nodes that refute the hardest try at any length, at most 100,000)",
    ),
    "tries": ("一目では否定できない紛れの数", "wrong first checks that take more than a glance to refute"),
    "surprise": (
        "手癖で指す人が初手を選ぶ確率の -log2",
        "-log2 of the chance that a player of habit gives the first move",
    ),
}

DATASET: dict[str, tuple[str, str]] = {
    **_TEXTS,
    **{f"column_{name}": texts for name, texts in _COLUMNS.items()},
    **{f"feature_{name}": texts for name, texts in _FEATURES.items()},
}
