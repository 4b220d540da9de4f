# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases that several areas share, and those of the smaller commands."""

from __future__ import annotations

from generator.acceptance import KNOWN_AGAIN, Rejection

COMMON: dict[str, tuple[str, str]] = {
    "seconds": ("{number}秒", "{number} s"),
    "minutes": ("{number}分", "{number} min"),
    "hours": ("{number}時間", "{number} h"),
    "one_move": ("{number}手", "{number} move"),
    "moves": ("{number}手", "{number} moves"),
    # boards and lines
    "length": ("{length}手詰", "mate in {length}"),
    "solution": ("{line}  まで{length}手詰", "{line}  mate in {length}"),
    "end": ("  まで{length}手詰", "  mate in {length}"),
    "attacker_hand": ("攻方の持駒：{hand}", "in hand: {hand}"),
    "defender_hand": ("玉方の持駒：{hand}", "defender's hand: {hand}"),
    # pieces
    "on_board": ("{side}{square}{piece}", "the {side}'s {piece} on {square}"),
    "in_hand": ("持駒の{piece}", "the {piece} in hand"),
    "attacker": ("攻方", "attacker"),
    "defender": ("玉方", "defender"),
    # numbers that judge a problem
    "quality": ("質 {quality:.1f}", "quality {quality:.1f}"),
    "likeness": ("作品らしさ {likeness}", "likeness {likeness}"),
    "resistance": ("紛れの深さ {resistance:.1f}", "resistance {resistance:.1f}"),
    "surprise": ("意外さ {surprise:.1f}", "surprise {surprise:.1f}"),
    "proof_tree": (
        "証明木 {positions:,}局面（重複を除き{decided_positions:,}、変化 {variations:,}）",
        "proof tree {positions:,} positions ({decided_positions:,} distinct, variations {variations:,})",
    ),
    "search_work": (
        "紛れの否定 {nodes:,}節点、証明数の最大 {peak:,}",
        "tries refuted in {nodes:,} nodes, peak proof number {peak:,}",
    ),
}


# --- the phrases of `tsume solve` ------------------------------------------------------------------

SOLVING: dict[str, tuple[str, str]] = {
    "mate": ("{length}手詰: {line}", "mate in {length}: {line}"),
    "no_mate": ("不詰", "no mate"),
    "unresolved": ("未解決", "unresolved"),
    "invalid": ("不正な局面", "invalid"),
    "turn": ("  {number}手目: {moves}", "  move {number}: {moves}"),
    "other_form": ("非限定 {moves}", "in another form {moves}"),
    "other_checks": ("ほかの王手 {moves}", "other checks {moves}"),
    "clauses": ("、", "; "),
}


# --- the phrases of `tsume games` ------------------------------------------------------------------

GAMES: dict[str, tuple[str, str]] = {
    "head": ("{place}  {moves}手、詰みのある局面{mates}", "{place}  {moves} moves, {mates} turns with a mate"),
    "mate": (
        "{number}手目 {side} {length}手詰 {fate}: {line}",
        "move {number}, {side}: mate in {length}, {fate}: {line}",
    ),
    "black": ("▲", "Black"),
    "white": ("△", "White"),
    "played": ("指した", "played"),
    "slower": ("遅い手で詰む", "a slower one played"),
    "missed": ("逃した（{turns}手番）", "missed (there for {turns} turns)"),
    "last": ("終局", "the game ended"),
    "open": ("実戦の手は未解決", "the move played is unresolved"),
    "others": ("  ほかの初手 {moves}", "  as quick: {moves}"),
    "exercise": ("    練習問題 No. {id}", "    stored as exercise No. {id}"),
    "problem": ("    作品 No. {id}", "    made into problem No. {id}"),
    "unresolved": ("  未解決: {numbers}手目", "  unresolved: moves {numbers}"),
    "unknown": ("不明", "unknown"),
    # the table of --by
    "by_player": ("対局者", "player"),
    "by_event": ("棋戦", "event"),
    "by_date": ("日付", "date"),
    "by_length": ("手数", "mate in"),
    "column_turns": ("詰みのある局面", "turns"),
    "column_played": ("指した", "played"),
    "column_slower": ("遅い手", "slower"),
    "column_missed": ("逃した", "missed"),
    "column_last": ("終局", "game ended"),
    "column_open": ("実戦の手が未解決", "move unresolved"),
    "column_unresolved": ("未解決", "unresolved"),
}


# --- the phrases about stored problems: `show`, `edit`, `list`, `score`, `themes` ------------------

PROBLEMS: dict[str, tuple[str, str]] = {
    "number": ("No. {id}", "No. {id}"),
    "not_settled": ("検討が完了していません", "not fully examined"),
    "graded": ("{grade}: {remarks}", "{grade}: {remarks}"),
    # what a person wrote
    "title": ("作品名: {text}", "title: {text}"),
    "author": ("作者: {text}", "author: {text}"),
    "source": ("出典: {text}", "source: {text}"),
    "tags": ("タグ: {text}", "tags: {text}"),
    "version_of": ("原図: {text}", "version of: {text}"),
    "versions": ("改作図: {text}", "versions: {text}"),
    "notes": ("メモ: {text}", "notes: {text}"),
    # columns
    "column_id": ("番号", "id"),
    "column_moves": ("手数", "moves"),
    "column_stars": ("星", "stars"),
    "column_rank": ("手数別", "rank"),
    "column_tree": ("証明木", "tree"),
    "column_quality": ("質", "quality"),
    "column_rating": ("難易度", "rating"),
    "column_plays": ("挑戦数", "plays"),
    "column_grade": ("判定", "grade"),
    "column_title": ("作品名", "title"),
    "column_sfen": ("SFEN", "sfen"),
}


# --- the phrases of `tsume choose` -----------------------------------------------------------------

CHOOSING: dict[str, tuple[str, str]] = {
    "any_length": ("全手数", "any length"),
    "chosen": ("{length}: {candidates}題から{number}題を選びました", "{length}: {number} chosen from {candidates}"),
    "alike": ("似たもの{number}題を除外（{reasons}）", "{number} left out as alike ({reasons})"),
    "squares": ("手順の升が同じ{number}", "squares of the line {number}"),
    "mate": ("初手と詰上がりが同じ{number}", "key and mate {number}"),
    "ending": ("収束が同じ{number}", "ending {number}"),
    "pieces": ("配置が同じか1枚違い{number}", "pieces but one {number}"),
    "known": ("既知の作品{number}題を除外", "{number} left out as known"),
    "sentences": ("。", "; "),
    "too_few": (
        "{length}: {wanted}題に{missing}題足りません。ほかに選べるものがありません",
        "{length}: {missing} of {wanted} are missing: no other problem is left",
    ),
    "levels": ("難易度: {levels}", "difficulty: {levels}"),
    "level": ("{low:.0f}〜{high:.0f}が{number}題", "{low:.0f}-{high:.0f} {number}"),
    "written": ("{number}題を書き出しました: {store}", "{number} problems written to {store}"),
}


# --- the phrases of `tsume import` -----------------------------------------------------------------

IMPORTING: dict[str, tuple[str, str]] = {
    "stored_one": ("{number}題を登録しました{ids}: {store}", "{number} problem stored{ids} in {store}"),
    "stored": ("{number}題を登録しました{ids}: {store}", "{number} problems stored{ids} in {store}"),
    "ids": ("（No. {span}）", " as No. {span}"),
    "sound": ("キズあり: {remarks}", "sound: {remarks}"),
    "not_settled": (
        "制限に達したため、一部の条件は未確認です",
        "a limit was reached before every condition was checked",
    ),
    "clauses": ("。", "; "),
    "duplicate": ("登録済みです", "already stored"),
    "not_scored": ("採点できません（制限: {limit}）", "not scored: {limit} limit reached"),
    "not_perfect": ("完全作ではありません", "not perfect"),
    "unresolved": ("未解決: 制限に達しました", "unresolved: a limit was reached"),
    "known_read": ("既知の作品{number}題を読みました", "{number} known problems read"),
    "known_counts": (
        "{number}題中、既知の作品の同一作{equal}題、類作{near}題",
        "{number} problems compared: {equal} equal to a known problem, {near} near one",
    ),
    "known_same": ("同一作: {place}と同じ局面です", "known: the same position as {place}"),
    "known_mirrored": ("同一作: {place}と左右対称です", "known: the mirror image of {place}"),
    "known_shifted": ("同一作: {place}を盤上でずらしたものです", "known: {place}, moved on the board"),
    "known_idle": (
        "同一作: {place}と、動かない駒の種類や敵味方だけが違います",
        "known: {place} with other pieces that do not move",
    ),
    "known_kinds": (
        "類作: {place}と、玉方の駒の種類と手順だけが違います",
        "near: {place} with defending pieces of other kinds and another line",
    ),
    "known_edge": ("類作: {place}と、盤端からの距離だけが違います", "near: {place} at another distance from the edges"),
    "known_one_piece": ("類作: {place}と駒が1枚だけ違います", "near: {place}, one piece differs"),
    "unsound": ("不完全作: {reasons}", "unsound: {reasons}"),
}


# --- the phrases of `tsume merge` ------------------------------------------------------------------

MERGING: dict[str, tuple[str, str]] = {
    "looking": ("{store} を調べています", "reading {store}"),
    "writing": ("{store} に書いています", "writing to {store}"),
    "other": (
        "{number}題は {made} で作られたもので、この版（{this}）とは採点が異なることがあります",
        "{number} problems were made by {made}; this is {this}, whose scores may differ",
    ),
    "recipe": ("tsume {version}、創作エンジン版 {recipe}", "tsume {version}, generator version {recipe}"),
    "no_recipe": ("tsume {version}", "tsume {version}"),
    "done": (
        "{store}: {copies}題のうち{new}題を登録、{replaced}題を先に見つかったものと置き換え、"
        "{noted}題にメモを追加しました",
        "{store}: {copies} problems read, {new} new, {replaced} replaced later finds, {noted} "
        "added notes to stored problems",
    ),
    "training": (
        "{store}: {persons}人、解答結果{results}件、タイムアタック・サバイバル{runs}回、復習{cards}件を追加しました",
        "{store}: {persons} persons, {results} results, {runs} timed or survival runs and {cards} repetitions added",
    ),
    "rated": (
        "{store}: レートは、すべての結果から時刻の順に計算し直しました",
        "{store}: the ratings were computed again from all results in the order of time",
    ),
    "renamed": (
        "「{old}」という名前は別の人が使っているので、あとから登録した人を「{new}」としました",
        "another person has the name {old}: the one who came later is now called {new}",
    ),
    "no_tags": (
        "タグ{number}個は、一題のタグが多すぎるため入りませんでした",
        "{number} tags were left out: a problem has too many",
    ),
    "no_notes": (
        "メモ{number}文字は、長すぎるため入りませんでした",
        "{number} characters of notes were left out: they are too long",
    ),
    "no_versions": (
        "{number}題の版の関係は、循環するため入りませんでした",
        "{number} problems would be versions of themselves: they are linked to no other problem",
    ),
    "left_cards": (
        "復習{number}件は、その問題がないため入りませんでした",
        "{number} repetitions were left out: their problems are not in the store",
    ),
    "left_run_lines": (
        "実行の記録{number}行は移しません。実行の再開は元の保存先で行います",
        "{number} lines of runs are not copied: runs are resumed in their own store",
    ),
    "left_problem_trees": (
        "変化の木{number}件は移しません。開いたときに作り直します",
        "{number} trees of replies are not copied: they are made again when they are opened",
    ),
    "left_sessions": (
        "サインイン{number}件は移しません。サインインし直してください",
        "{number} sign-ins are not copied: browsers have to sign in again",
    ),
    "left_classes": (
        "クラス{number}件は移しません。先生が開き直してください",
        "{number} classes are not copied: their teachers have to open them again",
    ),
    "left_class_pupils": (
        "クラスの生徒{number}人は移しません。参加し直してください",
        "{number} pupils of classes are not copied: they have to join again",
    ),
    "left_class_problems": (
        "クラスの課題の{number}題は移しません",
        "{number} problems in lists of classes are not copied",
    ),
}


# --- the phrases of `tsume verify` -----------------------------------------------------------------

VERIFYING: dict[str, tuple[str, str]] = {
    "mate": ("{plies}手詰", "mate in {plies} moves"),
    "no_mate_ever": ("何手でも不詰", "no mate at any length"),
    "no_mate_within": ("{plies}手以内に詰みなし", "no mate within {plies} moves"),
    "leftover": ("駒余り", "pieces are left in hand"),
    "unique_ever": ("余詰なし（手数無制限）", "no second solution at any length"),
    "unique_within": ("{plies}手以内に余詰なし", "no second solution within {plies} moves"),
    "second": (
        "{number}手目 {key} に代えて {check} でも{plies}手で詰む",
        "{check} instead of {key} at move {number} mates in {plies}",
    ),
}


# --- the phrases of commands that answer file by file ----------------------------------------------

PER_FILE: dict[str, tuple[str, str]] = {
    "summary": ("結果を書いたファイル: {files}（{counts}）", "result files written: {files} ({counts})"),
    "skipped": (
        "省略したファイル: {files}（結果の方が新しいため。--force でやり直します）",
        "files skipped: {files} (their results are newer; --force answers them again)",
    ),
    "perfect": ("完全作 {number}", "{number} perfect"),
    "sound": ("キズあり {number}", "{number} sound"),
    "unsound": ("不完全作 {number}", "{number} unsound"),
    "explained": ("解説済み {number}", "{number} explained"),
    "unresolved": ("未解決 {number}", "{number} unresolved"),
    "unreadable": ("読めないもの {number}", "{number} unreadable"),
    "unwritten": ("書けないもの {number}", "{number} not written"),
}


# --- the phrases of answers in notebooks -----------------------------------------------------------

NOTEBOOKS: dict[str, tuple[str, str]] = {
    "difficulty": ("難易度 {difficulty}", "difficulty {difficulty}"),
    "turns": ("局面数 {number}", "turns: {number}"),
    "repairs": ("修正案 {number}", "repairs: {number}"),
    "suggestions": ("改良案 {number}", "suggestions: {number}"),
    "explanation": ("解説", "Explanation"),
}


# --- the phrases of `tsume usi`: its ``info string`` lines -----------------------------------------

USI: dict[str, tuple[str, str]] = {
    "shorter_open": (
        "{length}手の詰みです。より短い詰みの有無は確認していません",
        "mate in {length}; a shorter mate is not ruled out",
    ),
    "any_mate": ("{length}手の詰みです。最短とは限りません", "mate in {length}, any mate: it may not be the shortest"),
    "futile_end": ("最終手の後の合駒はどれも無駄合です", "every interposition after the last move is futile (無駄合)"),
    "unresolved": ("制限に達しました（{limit}）", "limit reached: {limit}"),
    "none_within": ("{length}手以内の詰みはありません", "no mate within {length} moves"),
    "no_mate": ("不詰", "no mate"),
    "no_mate_among": ("searchmoves の手では詰みません", "none of searchmoves mates"),
    "escapes": ("玉方の手番で、詰みません", "the defender is to move and is not mated"),
    "no_check": (
        "王手がかかっていません。玉方は自由に指せます",
        "the defender is to move and not in check: any move is an answer",
    ),
    "mated": ("玉方は詰んでいます", "the defender is to move and is mated"),
    "no_find_all": (
        "FindAll は攻方の手番で searchmoves がないときだけ働きます",
        "FindAll needs the attacker to move, without searchmoves",
    ),
    "first_mate": ("初手の王手のうち{number}通りが詰みます", "{number} first checks mate"),
    "more_lines": ("MultiPV により{number}通りを省きました", "{number} more are left out by MultiPV"),
    "first_open": ("詰むかどうか未解決の初手: {moves}", "first checks not resolved: {moves}"),
    "length_open": (
        "初手 {move}: より短い詰みの有無は確認していません",
        "first check {move}: a shorter mate is not ruled out",
    ),
    "narrow_only": (
        "判定は Reading にかかわらず狭義の解釈によります",
        "the judgement is by the narrow reading, whatever Reading is",
    ),
}


# --- the phrases about runs and stores: what `generate`, `runs`, `stats` and `db upgrade` print ----

RUNS: dict[str, tuple[str, str]] = {
    # the state of a run
    "head": (
        "実行{id} {state}{tried}: {count}題中{found}題、{elapsed:.1f}秒{rate}",
        "run {id} {state}{tried}: {found} of {count} problems in {elapsed:.1f} s{rate}",
    ),
    "rate": ("、毎分{rate:.1f}題", ", {rate:.1f} a minute"),
    "tried": ("、{number}局面を調査", ", {number} positions tried"),
    "running": ("実行中、または強制終了", "running, or killed"),
    "complete": ("完了", "complete"),
    "stopped": ("時間切れ", "out of time"),
    "exhausted": ("候補が尽きて終了", "exhausted"),
    "interrupted": ("中断", "interrupted"),
    "merged": ("ほかの保存先から統合", "merged from another store"),
    "failed_root": ("エラー: {name}", "an error ended {name}"),
    "failed_roots": (
        "エラーで中止した試行 {number}（シード {seed}）。プログラムの誤りです。報告してください:",
        "roots of seed {seed} ended by an error, a bug that should be reported: {number}",
    ),
    "finished": ("実行{id}は終わっています: {count}題中{found}題", "run {id} is finished: {found} of {count} problems"),
    # its progress
    "looking_for": ("{moves}手詰を創作中", "looking for mates in {moves}"),
    "seed": ("シード {seed}", "seed {seed}"),
    "found": ("{count}題中{found}題（{spent}経過）", "{found} of {count} found in {spent}"),
    "rate_minute": ("毎分{rate:.1f}題", "{rate:.1f} a minute"),
    "rate_hour": ("毎時{rate:.1f}題", "{rate:.1f} an hour"),
    "left": ("残り約{time}", "about {time} left"),
    "until_limit": ("制限時間まで{time}", "{time} until the time limit"),
    "number": ("数", "number"),
    "a_second": ("毎秒", "a second"),
    "part": ("時間: {name}", "time: {name}"),
    "to_go_on": ("続けるには: {command}", "to continue: {command}"),
    "by_walk": (
        "条件付きのため、局面の探索（局所探索）で作ります",
        "with these conditions, problems are composed by local search instead of the network",
    ),
    "by_reverse": (
        "{why}、逆算で作ります（自然な作風は保証されません）",
        "{why}: problems are composed by reverse construction, which does not imitate published ones",
    ),
    "no_network": ("{moves}手詰のモデルがないため", "no model for mates in {moves}"),
    "no_such_walk": ("この条件のモデルがないため", "no model for these conditions"),
    # its figures
    "ratings": ("難易度", "ratings"),
    "themes": ("手筋", "themes"),
    "rejected": ("不採用", "rejected"),
    "stages": ("工程", "stages"),
    "seconds": ("秒", "seconds"),
    "clauses": ("；", "; "),
    # what was asked for
    "asked": (
        "{moves}手詰を{count}題、シード {seed}、tsume {version}{recipe}",
        "requested: {count} problems of {moves} moves, seed {seed}, tsume {version}{recipe}",
    ),
    "recipe": ("、創作エンジン版 {recipe}", ", generator version {recipe}"),
    "began": ("{began} 開始、{end}、{roots}回試行", "began {began}, {end}, {roots} roots done"),
    "ended": ("{moment} 終了", "ended {moment}"),
    "not_ended": ("未終了", "not ended"),
    "grade": ("判定: {value}", "grade: {value}"),
    "style": ("作風: {value}", "style: {value}"),
    "wishes": ("条件: {wishes}", "conditions: {wishes}"),
    "extends": ("短い作品{number}題を逆算で延長", "extends {number} shorter problems"),
    "ends_in": ("詰上り {final}", "ends in {final}"),
    "ends_exactly_in": ("詰上り {final}（ほかの駒なし）", "ends exactly in {final}"),
    "around": ("元の配置 {sfen}{keeping}", "composed around {sfen}{keeping}"),
    "keeping": ("（{squares} は固定）", ", keeping {squares}"),
    # columns
    "column_id": ("番号", "id"),
    "column_moves": ("手数", "moves"),
    "column_found": ("採用", "found"),
    "column_of": ("目標", "of"),
    "column_roots": ("試行", "roots"),
    "column_seconds": ("秒", "seconds"),
    "column_state": ("状態", "state"),
    "column_began": ("開始", "began"),
    "column_seed": ("シード", "seed"),
    "column_version": ("版", "version"),
    # a store
    "backed_up": ("{store} を {file} に保存しました（{size} KB）", "{store}: saved to {file}, {size} kB"),
    "upgraded": ("{name}: {before} から {after} へ", "{name}: from {before} to {after}"),
    "empty": ("空", "empty"),
}

STYLES: dict[str, tuple[str, str]] = {
    "natural": ("自然", "natural"), "refined": ("推敲", "refined"), "free": ("自由", "free"),
}  # fmt: skip
"""The styles by their values."""


# --- why candidates are rejected, and the names of the stages and parts of a run -------------------

_REASONS = {
    Rejection.NO_FINAL: "詰上り図を作れない",
    Rejection.NOT_MENDED: "作品に修正できない",
    Rejection.NO_WAY_BACK: "詰上りに至る王手がない",
    Rejection.SHORTER_DEFENCE: "逆算した応手が最長でない",
    Rejection.LONGER_DEFENCE: "ほかに手数の長い応手がある",
    Rejection.OTHER_DEFENCE: "ほかの最長の応手に余詰か駒余りがある",
    Rejection.ALREADY_SEEN: "同じ試行で既出",
    Rejection.MATE_IN_ONE: "1手で詰む",
    Rejection.MATE_IN_THREE: "3手で詰む",
    Rejection.SHORTER_MATE: "早詰",
    Rejection.SECOND_MATE: "同手数または少し長い余詰",
    Rejection.LONGER_COOK: "長手数の余詰",
    Rejection.LEFTOVER: "駒余り",
    Rejection.STARTS_IN_CHECK: "初形王手",
    Rejection.GREY: "無駄合の解釈で答えが変わる",
    Rejection.NOT_CORRECT: "最終検討で欠陥が判明",
    Rejection.NOT_EXCLUDED: "長手数の余詰を否定できない",
    Rejection.UNRESOLVED: "制限内に結論が出ない",
    Rejection.PLAIN_QUALITY: "質が下限に届かない",
    Rejection.NOT_WISHED: "条件に合わない",
    Rejection.SAME_LINE: "手順がほかの作品と同じ",
    Rejection.SAME_PROBLEM: "駒の配置、または初手と詰上りがほかの作品と同じ",
    Rejection.REPEATED: "手順の中で同じ手筋を繰り返す",
    Rejection.UNLIKELY: "人の作品らしくない",
    Rejection.SAME_FRAME: "初手と詰上りが同じ試行の作品と同じ",
    Rejection.NOT_CONFIRMED: "再検討で結果が一致しない",
    Rejection.DUPLICATE: "既出、または登録済み",
    Rejection.FAILED: "プログラムのエラーで試行を中止",
}
REASONS: dict[str, tuple[str, str]] = {reason.value: (text, reason.value) for reason, text in _REASONS.items()}
"""The reasons by the texts under which they are counted."""

STAGES: dict[str, tuple[str, str]] = {
    name: (text, name)
    for name, text in {
        "roots": "試行",
        "candidates": "候補",
        "defences": "応手",
        "finalists": "最終候補",
        "problems": "作品",
        "made plain": "成駒を生駒にした作品",
        KNOWN_AGAIN: "既出",
        "roots since the last problem": "最後の作品以後の試行",
        "known since the last problem": "最後の作品以後の既出",
        "draw": "局面の生成",
        "walk": "局所探索",
        "grow": "逆算",
        "refine": "推敲",
        "choose": "候補の選択",
        "settle": "余詰の検討",
        "minimise": "不要駒の除去",
        "plain": "生駒への置換",
        "judge": "最終検討",
        "appraise": "質の採点",
        "score": "難易度の採点",
    }.items()
}
"""The stages and parts of the work by the names under which they are counted."""


# --- the phrases for runs that found nothing, and for how long themes take -------------------------

NEAREST: dict[str, tuple[str, str]] = {
    "head": ("条件を一つ変えると:", "with one condition changed:"),
    "without": ("{option} なし", "without {option}"),
    "without_piece": ("{piece}を固定しない", "without {piece}"),
    "start_hand": ("元の配置の持駒を限定しない", "with any hand"),
    "length": ("-m {value}", "with -m {value}"),
    "style": ("--style {value}", "with --style {value}"),
    "none": (
        "どの条件を一つ変えても{seconds:g}秒以内には見つかりません",
        "changing any one condition finds nothing within {seconds:g} s either",
    ),
    "time": ("{length}手詰でほぼ{seconds}秒以内", "nearly always within {seconds} s at {length} moves"),
    "seldom": (
        "まれ（{first}〜{last}手詰では{seconds}秒以内に得られない）",
        "rare (none within {seconds} s at {first} to {last} moves)",
    ),
    "alone": ("創作: {time}", "composing: {time}"),
}


# --- the phrases of `tsume stats` ------------------------------------------------------------------

STATISTICS: dict[str, tuple[str, str]] = {
    "one_problem": ("{number}題", "{number} problem"),
    "problems": ("{number}題", "{number} problems"),
    "graded": ("{problems}（{grades}）", "{problems} ({grades})"),
    "of_grade": ("{grade} {number}", "{number} {grade}"),
    "one_run": ("実行{number}回", "{number} run"),
    "runs": ("実行{number}回", "{number} runs"),
    "with_unfinished": ("{runs}（{unfinished}）", "{runs} ({unfinished})"),
    "unfinished": ("未完", "unfinished"),
    "some_unfinished": ("未完{number}", "{number} unfinished"),
    "one_candidate": ("候補{number}", "{number} candidate"),
    "candidates": ("候補{number}", "{number} candidates"),
    # tables
    "ratings_by_length": ("手数別の難易度", "Ratings by length"),
    "trees_by_length": ("手数別の証明木の局面数", "Positions of proof trees by length"),
    "quality": ("質", "Quality"),
    "themes": ("手筋", "Themes"),
    "rejections": ("不採用", "Rejections"),
    "all": ("全体", "all"),
    "theme": ("手筋", "theme"),
    "reason": ("理由", "reason"),
    "number": ("数", "number"),
    "column_moves": ("手数", "moves"),
    "column_problems": ("題数", "problems"),
    "column_mean": ("平均", "mean"),
    "column_lowest": ("最小", "lowest"),
    "column_quartile": ("四分位", "quartile"),
    "column_median": ("中央値", "median"),
    "column_highest": ("最大", "highest"),
}


# --- the words on the picture of `tsume stats --plot` ----------------------------------------------

CHARTS: dict[str, tuple[str, str]] = {
    "title": ("{problems}題、候補{candidates}", "{problems} problems, {candidates} candidates examined"),
    "ratings": ("手数別の難易度", "ratings by length"),
    "moves": ("手数", "moves"),
    "rating": ("難易度", "rating"),
    "quality": ("質", "quality"),
    "quality_range": ("質（0から100）", "quality, 0 to 100"),
    "problems": ("題数", "problems"),
    "themes": ("手筋", "themes"),
    "reasons": ("不採用の理由", "reasons for rejection"),
    "most_frequent": ("{title}（多い順に{number}）", "{title} (the {number} most frequent)"),
    "none": ("なし", "none"),
}
