# SPDX-License-Identifier: GPL-3.0-or-later
"""The words on the pages of `tsume serve` and `tsume site`. The scripts use them too."""

from __future__ import annotations

PAGE: dict[str, tuple[str, str]] = {
    "title": ("詰将棋", "Tsume-shogi"),
    "problems": ("問題一覧", "Problems"),
    "front": ("詰将棋を解く・鍛える・創る", "Tsume-shogi: solve, train, compose"),
    "front_text": (
        "王手の連続で玉を詰ませましょう。玉方は最善を尽くして逃げます。",
        "Give check with every move until the king is mated. The defence holds out as long as it can.",
    ),
    "solve": ("問題を選ぶ", "Browse problems"),
    "solve_text": ("手数・難易度・手筋から選べます。", "By length, difficulty and theme."),
    "train": ("鍛える", "Train"),
    "train_text": ("間違えた問題は後日また出題します。", "Problems of your level; those you fail come back."),
    "compose": ("創る・調べる", "Compose or check"),
    "compose_text": (
        "局面を並べるか棋譜を開くと、詰むか、余詰がないかがすぐわかります。",
        "Set up a position or open a KIF; see at once if it is correct.",
    ),
    "share": ("共有する", "Share"),
    "share_address": ("アドレス", "Address"),
    "share_link": ("リンクを共有", "Share link"),
    "share_picture": ("図面を保存", "Save picture"),
    "share_record": ("棋譜（KIF）", "Save KIF"),
    "share_embed": ("ブログなどに盤を置く HTML", "HTML that puts the board on a blog"),
    "training": ("トレーニング", "Training"),
    "games": ("棋譜の詰み", "Mates in games"),
    "games_short": ("棋譜", "Games"),
    "composing": ("創作・検討", "Compose"),
    "skip": ("本文へ", "Skip to the content"),
    "other_language": ("English", "日本語"),
    "other_short": ("EN", "日"),
    "total": ("全{number}題", "{number} in all"),
    "answer": ("解答を見る", "Show the answer"),
    "gives_up": ("（あきらめたことになります）", "(gives up the attempt)"),
    "choose_some": ("手数や手筋を選ぶ", "Choose lengths and themes"),
    "choose": ("さらに絞り込む", "More conditions"),
    "moves": ("手数", "Moves"),
    "start": ("はじめての方は", "New to tsume-shogi?"),
    "start_easy": ("{length}手詰をやさしい順にどうぞ。", "Start with the easiest mates in {length}."),
    "theme": ("手筋", "Theme"),
    "grade": ("完全作か", "Soundness"),
    "quality": ("作品点（0〜100）の下限", "Quality, at least (0–100)"),
    "quality_from": ("作品点{quality}以上", "quality {quality} or more"),
    "order": ("並び", "Order"),
    "order_id": ("番号順", "By number"),
    "order_score": ("やさしい順", "Easiest first"),
    "order_quality": ("作品点の高い順", "Best first"),
    "order_proof_tree": ("変化の少ない順", "Fewest variations first"),
    "any": ("すべて", "Any"),
    "unsolved": ("解いていない問題", "Not solved yet"),
    "filter": ("絞り込む", "Show"),
    "none_found": ("条件に合う問題はありません。", "No matches."),
    "none_found_all": ("すべてを満たす問題はありません: {conditions}", "No matches for all of this: {conditions}"),
    "without": ("「{condition}」を外す", "Without “{condition}”"),
    "clear": ("すべての問題", "All problems"),
    "empty_store": (
        "まだ問題がありません。tsume に付属する第二集（検証済みの完全作）を登録できます。",
        "There are no problems yet. tsume comes with a collection of verified, perfect problems.",
    ),
    "add_collection": ("第二集（{number}題）を登録する", "Add the collection ({number} problems)"),
    "all_problems": ("全{number}題を見る", "All {number} problems"),
    "more": ("次のページ", "Next page"),
    "less": ("前のページ", "Previous page"),
    "range": ("{first}〜{last}題目", "{first}–{last}"),
    "back_to_list": ("‹ 一覧に戻る（{place}）", "‹ Back to the list ({place})"),
    "needs_script": ("盤上で解くには JavaScript が必要です。", "Solving on the board needs JavaScript."),
    "not_found": ("そのような問題やページはありません。", "There is no such problem or page."),
    "bad_query": ("条件が正しくありません: {fault}", "Invalid query: {fault}"),
    "bad_query_of_problem": (
        "条件が正しくありません: {fault}。「次の問題」は全問題の順です。",
        "Invalid query: {fault}. “Next problem” follows all problems.",
    ),
}
"""Those that the server or `tsume site` writes into the pages."""

WEB: dict[str, tuple[str, str]] = {
    # pages
    "show_moves": ("駒の動きを表示する", "Pieces: 漢字 or letters with their moves"),
    "another": ("ほかの問題", "Solve another"),
    "share_copied": ("コピーしました。", "Copied."),
    "day": ("今日の一題", "Problem of the day"),
    "number": ("第{id}番", "No. {id}"),
    "mate_in": ("{length}手詰", "Mate in {length}"),
    "difficulty": ("難易度", "Difficulty"),
    "stars": ("5段階の{stars}", "{stars} of 5"),
    "resumed": (
        "続きから始めます（これまでのミス {mistakes}、ヒント {hints}）。",
        "You go on where you were (mistakes so far: {mistakes}, hints: {hints}).",
    ),
    "unsent": (
        "サーバーにつながりません。結果はこのブラウザに残し、次につながったときに送ります。",
        "The server does not answer. The result is kept in this browser and sent when it does.",
    ),
    "rating_now": ("レート {rating} ± {deviation}", "Rating {rating} ± {deviation}"),
    "rating_provisional": ("（暫定）", ", provisional"),
    "rating_changed": (
        "レート {before} → {after}（{change}）{provisional}。",
        "Rating {before} → {after} ({change}){provisional}.",
    ),
    "analysis": ("検討", "Analysis"),
    "show_line": ("初形から", "From the start"),
    "step_back": ("一手戻る", "Back"),
    "step_on": ("一手進む", "Forward"),
    "choices": ("指せる手とその結果", "Moves and what they lead to"),
    "is_mate": ("詰みです。", "Mate."),
    "no_more_checks": ("王手が続きません。", "There is no further check."),
    "attacker_mates": ("攻方の番: {length}手で詰みます。", "Attacker to move: mate in {length}."),
    "attacker_fails": ("攻方の番: 詰みません。", "Attacker to move: no mate."),
    "attacker_open": ("攻方の番: 詰みは見つかりません。", "Attacker to move: no mate was found."),
    "defender_mated": (
        "玉方の番: どう応じても{length}手以内に詰みます。",
        "Defender to move: mated in {length} at most.",
    ),
    "defender_escapes": ("玉方の番: 詰まない応手があります。", "Defender to move: an answer escapes."),
    "defender_open": (
        "玉方の番: 詰むかどうか調べきれていません。",
        "Defender to move: it is not known whether all answers lose.",
    ),
    "outcome_mates": ("{length}手で詰み", "mate in {length}"),
    "outcome_fails": ("詰まない", "no mate"),
    "outcome_open": ("不明", "unknown"),
    "outcome_futile": ("無駄合", "futile interposition"),
    "answer": ("解答", "Answer"),
    "answer_is": ("解答: {line}", "Answer: {line}"),
    "adding_collection": ("登録しています…", "Adding..."),
    "is_solved": ("解いた", "solved"),
    "solved_count": (
        "解いた問題: {count}、ノーミス・ノーヒント連続数: {streak}",
        "Solved: {count}; in a row without mistakes or hints: {streak}",
    ),
    "csv": ("結果を CSV で保存", "Save the results as CSV"),
    "forget": ("結果を消す", "Clear the results"),
    "forget_question": ("このブラウザの結果をすべて消しますか？", "Clear all results in this browser?"),
    "solve_chosen": ("この{number}題を解く", "Solve these {number} problems"),
    "sheet": ("シートを印刷", "Print a sheet"),
    "sheet_title": ("表題", "Title"),
    "sheet_count": ("題数（{most}まで）", "Problems (of {most})"),
    "sheet_per_page": ("1ページの題数", "Problems a page"),
    "sheet_answers": ("解答", "Answers"),
    "sheet_end": ("最後のページ", "on the last page"),
    "sheet_turned": ("各ページの下に逆さ", "upside down on each page"),
    "sheet_none": ("なし", "none"),
    "sheet_print": ("印刷する", "Print"),
    "sheet_close": ("閉じる", "Close"),
    "sheet_turn": ("いずれも攻方（先手）の番です。", "In each, the attacker (at the bottom) moves first."),
    "sheet_loading": ("解答を読み込んでいます…", "Loading the answers…"),
    "sheet_ready": ("全{number}ページ", "Pages: {number}"),
    # the board
    "board": ("将棋盤", "Shogi board"),
    "attacker_hand": ("攻方の持駒", "Attacker's hand"),
    "defender_hand": ("玉方の持駒", "Defender's hand"),
    "defender_rest": ("残り全部", "all the rest"),
    "defender_others": ("玉方 残り全部", "Defender: all other pieces"),
    "defender_none": ("玉方 持駒なし", "Defender: nothing in hand"),
    "defender_rest_tip": (
        "盤上にも攻方の持駒にもない駒は、すべて玉方の持駒です。",
        "All pieces that are neither on the board nor in the attacker's hand.",
    ),
    "nothing": ("なし", "none"),
    "in_hand": ("持駒", "In hand"),
    "hand_piece": ("持駒の{piece}、{count}枚", "{piece} in hand, {count}"),
    "own": ("攻方{piece}", "own {piece}"),
    "other": ("玉方{piece}", "defending {piece}"),
    "empty": ("空き", "empty"),
    "chosen": ("選択中", "selected"),
    "picked": ("{piece}を選びました。行き先を選んでください。", "{piece} selected. Choose its destination."),
    "put_back": ("選択を取り消しました。", "Selection cleared."),
    "not_yours": ("攻方の駒を選んでください。", "Select one of the attacker's pieces."),
    "no_check": ("その手は王手になる指し手ではありません。", "That is not a legal check."),
    "unreadable_move": (
        "「{text}」は指し手として読めません。７六歩、76歩、P-7f、7g7f のように書いてください。",
        "“{text}” cannot be read as a move. Write P-7f, 7g7f or 76歩, for example.",
    ),
    "promote_question": ("成りますか？", "Promote?"),
    "promote": ("成る", "Promote"),
    "keep": ("成らない", "Do not promote"),
    "cancel": ("やめる", "Cancel"),
    "and": ("、", ", "),
    "terms": ("用語: {terms}", "Terms: {terms}"),
    # playing
    "loading": ("応手を調べています…", "Working out all answers…"),
    "your_turn": ("攻方の番です。王手をかけてください。", "Your move: give check."),
    "answered": ("{check}、{answer}。次の手は？", "{check}, {answer}. Your move."),
    "answered_late": (
        "{check}、{answer}。詰みますが最短ではありません。次の手は？",
        "{check}, {answer}. It mates, but not in the fewest moves. Your move.",
    ),
    "answered_also": (
        "{check}、{answer}。この手でも同手数で詰みます。次の手は？",
        "{check}, {answer}. This mates as fast as the key. Your move.",
    ),
    "mate": ("{check}まで、詰みです。", "{check}: mate."),
    "mate_helped": ("{check}まで、詰みです（ヒント・ミスあり）。", "{check}: mate, with help."),
    "solved_in": ("{plies}手で解けました。", "Solved in {plies} moves."),
    "mate_futile": ("合駒は無駄合です。", "The only answers are futile interpositions."),
    "result": ("ミス{mistakes}回、ヒント{hints}回、時間 {time}", "Mistakes: {mistakes}, hints: {hints}, time {time}"),
    "result_clean": ("お見事！　時間 {time}", "Well done! Time {time}"),
    "wrong": ("{why}。", "{why}."),
    "how_far": ("どこまで確かめたか", "How far this was checked"),
    "open": (
        "{check}が詰むかどうかは調べきれていません。戻します。",
        "It is not known whether {check} mates. The move is taken back.",
    ),
    "cut": ("{check}でも詰みますが、この先は調べきれていません。", "{check} mates too, but the tree ends here."),
    "no_mate": ("この局面は詰みません。", "This position has no mate."),
    "unresolved": ("時間内に調べきれませんでした。", "A limit was reached before all answers were found."),
    "busy": (
        "混み合っています。しばらくしてからもう一度お試しください。",
        "The server is busy. Please try again in a moment.",
    ),
    "too_long": ("時間内に終わりませんでした。", "It took too long and was stopped."),
    "not_here": (
        "このサーバーは、ほかの端末からの判定・創作・保存を受け付けていません。",
        "This server judges, composes and saves only for its own machine.",
    ),
    "read_only": ("このサーバーは何も保存しない設定です。", "This server does not save anything."),
    "no_answer": ("サーバーにつながりません。", "The server is not responding."),
    "failed": ("読み込めませんでした。", "Loading failed."),
    "no_solver": (
        "このサイト、またはこのブラウザーでは、詰将棋を解くプログラムを動かせません。",
        "The solver is not available on this site or in this browser.",
    ),
    "solver_lost": (
        "詰将棋を解くプログラムが停止しました。もう一度お試しください。",
        "The solver stopped working. Please try again.",
    ),
    "solver_failed": ("詰将棋を解くプログラムを読み込めませんでした。", "The solver could not be loaded."),
    "hint": ("ヒント", "Hint"),
    "hint_piece": ("動かす駒は{piece}です。", "Move the {piece}."),
    "hint_drop": ("打つ駒は{piece}です。", "Drop the {piece}."),
    "hint_square": ("行き先は{square}です。", "The destination is {square}."),
    "hint_move": ("{check}です。", "The move is {check}."),
    "back": ("一手戻す", "Undo"),
    "restart": ("最初から", "Restart"),
    "next": ("次の問題", "Next problem"),
    "retry": ("もう一度", "Try again"),
    "taken_back": ("戻しました。攻方の番です。", "Taken back. Your move."),
    "at_start": ("最初の局面です。", "This is the starting position."),
    "typed": ("指し手を入力", "Type a move"),
    "typed_which": ("その書き方では指し手が一つに決まりません。", "Several checks match: be more specific."),
    "moves_played": ("指し手", "Moves played"),
    "settings": ("表示と音", "Display and sound"),
    "board_setting": ("盤", "Board"),
    "board_wood": ("木", "wood"),
    "board_paper": ("紙", "paper"),
    "board_slate": ("石板", "slate"),
    "pieces_setting": ("駒", "Pieces"),
    "pieces_kanji": ("一文字駒", "kanji"),
    "pieces_two-kanji": ("二文字駒", "two kanji"),
    "pieces_letters": ("英字", "letters"),
    "pieces_moves": ("英字と動き", "letters with moves"),
    "destinations_setting": ("王手になる行き先を示す", "Mark where a piece gives check"),
    "movement_setting": ("駒の動きを見せる", "Animate moves"),
    "sound_setting": ("音を鳴らす", "Sound"),
    "keys": ("キーボード", "Keyboard"),
    "keys_text": (
        "矢印キーで升を移り、Enter で駒と行き先を選びます。持駒は P L N S G B R でも選べます。"
        "Esc で取り消し。H ヒント、U 一手戻す、0 最初から。指し手は２三金、７六歩成のように書きます。",
        "The arrow keys move between squares; Enter selects a piece and its destination. P L N S "
        "G B R select a piece in hand, Esc cancels. H: hint, U: take back, 0: start again. In moves, x captures, "
        "* drops, + promotes and = does not promote.",
    ),
}


# --- the words on the page of training -------------------------------------------------------------

TRAINING_PAGE: dict[str, tuple[str, str]] = {
    "title": ("トレーニング", "Training"),
    "needs_script": ("トレーニングには JavaScript が必要です。", "Training needs JavaScript."),
    # the page of games
    "games": ("棋譜から詰みを探す", "Mates in your games"),
    "games_intro": (
        "棋譜（KIF・KI2・CSA・JKF・USI）を貼り付けるか、ファイルを選んでください。"
        "対局中に現れた詰みをすべて探します。棋譜はこのブラウザの外に出ません。",
        "Paste a game record (KIF, KI2, CSA, JKF, USI) or choose a file: every mate that was on the board is "
        "found. The record does not leave this browser.",
    ),
    "games_text": ("棋譜", "Record"),
    "games_file": ("ファイル", "File"),
    "games_read": ("詰みを探す", "Find the mates"),
    "games_searching": ("調べています（{games}局）", "Searching (games done: {games})"),
    "games_done": (
        "{games}局を調べ、詰みが{mates}つ見つかりました。選んで解いてみましょう。",
        "Mates found: {mates} (games searched: {games}). Pick one to solve.",
    ),
    "games_none": ("{games}局を調べました。詰みのある局面はありません。", "No mates found (games searched: {games})."),
    "games_check": ("この局面を詰将棋として検討する", "Check this position as a problem"),
    "games_stop": ("やめる", "Stop"),
    "game_number": ("第{number}局", "Game {number}"),
    "game_facts": ("{moves}手、詰みのある局面 {mates}", "Moves: {moves}. Mates found: {mates}."),
    "game_open": ("調べきれなかった手番: {numbers}", "Turns that are unresolved: {numbers}"),
    "game_fault": ("読めない手があります: {fault}", "Read up to a move that cannot be: {fault}"),
    "game_mate": ("{number}手目・{side}・{length}手詰 — {fate}", "Move {number} · {side} · mate in {length} — {fate}"),
    "game_black": ("先手", "Black"),
    "game_white": ("後手", "White"),
    "fate_played": ("指した", "played"),
    "fate_slower": ("遅い手で詰む", "a slower mate was played"),
    "fate_missed": ("逃した", "missed"),
    "fate_last": ("終局", "the game ended"),
    "fate_open": ("実戦の手は未解決", "the move played is unresolved"),
    "exercise_add": ("練習に加える", "Add to training"),
    "exercise_waits": ("検討しています。", "Judging it."),
    "exercise_added": ("トレーニングに加えました。", "Added to training."),
    "exercise_known": ("すでに加えてあります。", "It is there already."),
    "exercise_none": (
        "解が一つに決まらないので、練習には加えられません。",
        "It has more than one solution and cannot be an exercise.",
    ),
    "own": ("自分の対局から", "From your games"),
    # modes
    "modes": ("出題", "What to solve"),
    "training": ("はじめる", "Start"),
    "training_text": ("実力に合う問題", "Problems of your level"),
    "training_at": ("実力に合う問題（レート {rating}）", "Problems of your level ({rating})"),
    "review": ("復習", "Review"),
    "review_text": ("忘れたころにもう一度。", "What you have played comes back after some days."),
    "review_count": ("今日 {due}題、後日 {later}題", "{due} due, {later} later"),
    "failed": ("間違えた問題", "Failed"),
    "failed_text": ("ミスもヒントもなしに解けるまで。", "Each one until it is solved cleanly."),
    "timed3": ("3分間", "Three minutes"),
    "timed3_text": ("次第に難しくなる問題を何題解ける？", "As many as you can; they become harder."),
    "timed10": ("10分間", "Ten minutes"),
    "timed10_text": ("同じルールでじっくり。", "The same with more time to think."),
    "survival": ("サバイバル", "Survival"),
    "survival_text": ("時間制限なし、ミス3回まで。", "No clock, until the third mistake."),
    "choices": ("四択", "Four choices"),
    "choices_text": ("入門向け。詰む王手を選びます。", "For beginners: choose the check that mates."),
    "day": ("今日の一題", "Problem of the day"),
    "day_text": ("みんなで同じ一題。", "The same for everybody."),
    "choices_question": ("詰む王手はどれ？", "Which check leads to mate?"),
    "choice": ("{piece}を{square}へ", "{piece} to {square}"),
    "choice_drop": ("{piece}を{square}に打つ", "drop a {piece} on {square}"),
    "choice_promotion": ("{piece}を{square}へ成る", "{piece} to {square}, promoting"),
    "choice_stay": ("{piece}を{square}へ（成らず）", "{piece} to {square}, not promoting"),
    "next": ("次の問題", "Next problem"),
    "give_up": ("あきらめる", "Give up"),
    "stop": ("終わる", "Finish"),
    "answer": ("解答を見る", "Show the answer"),
    "answer_title": ("解答", "Answer"),
    "counts": ("ミスやヒントがあると不正解になります。", "A mistake or a hint counts as failed."),
    "tag": ("タグ（missed：棋譜で逃した詰み）", "Tag (missed: mates missed in your games)"),
    # why a problem comes up
    "because_due": ("（復習）", "(review)"),
    "because_failed": ("（前に間違えた問題）", "(failed before)"),
    "because_unseen": ("", ""),
    "because_rating": ("（前に解いた問題）", "(seen before)"),
    "because_day": ("（今日の一題）", "(problem of the day)"),
    "none": ("条件に合う問題がありません。", "No problem matches."),
    "none_until": (
        "いま解く問題はありません。次の復習は{date}です。",
        "Nothing to solve now. The next review is {date}.",
    ),
    # results
    "due_at": ("次の復習：{date}", "Comes back {date}."),
    "tomorrow": ("明日（{date}）", "tomorrow ({date})"),
    "on_day": ("{date}", "on {date}"),
    "session_status": ("{tried}題中 {solved}題正解　{time}", "{tried} tried, {solved} solved, {time}"),
    "timed_status": ("残り {time}　正解 {solved}", "{time} left, solved: {solved}"),
    "survival_status": ("正解 {solved}　ミス {failed}/{most}", "Solved: {solved}, mistakes: {failed} of {most}"),
    "run_end": ("{tried}題中 {solved}題正解（{time}）", "Solved {solved} of {tried} in {time}"),
    "run_failed": ("✗ 不正解", "✗ failed"),
    "run_open": ("― 途中", "– not finished"),
    "run_solved": ("◎ 正解", "◎ solved"),
    "run_helped": ("○ ミスかヒントあり", "○ with help"),
    "again": ("もう1セット", "Another round"),
    "retry": ("間違えた問題をもう一度", "Solve the failed ones again"),
    "course": ("手筋で学ぶ（全{number}回）", "A course in {number} lessons"),
    "history": ("これまでの問題", "History"),
    "list_of": ("{list}（{count}）", "{list} ({count})"),
    "list_failed": ("間違えた問題", "Failed"),
    "list_tried": ("最近解いた順", "Last played"),
    "more": ("もっと見る", "More"),
    "run_is_best": ("自己最高です。", "That is your best."),
    "run_best": ("自己最高は {best}題です。", "Your best is {best}."),
    # progress
    "progress": ("成績", "Progress"),
    "rating_of": ("{name}　{rating}", "{name}: {rating}"),
    "rating_here": ("{rating}（このブラウザに記録）", "{rating} (kept in this browser)"),
    "nobody": (
        "トレーニングの記録には名前とパスワードが必要です。「今日の一題」はそのまま解けます。",
        "Training needs a name and a passphrase. The problem of the day is for everybody.",
    ),
    "no_results": ("まだ記録がありません。", "No results yet."),
    "rating_chart": (
        "{first} から {last} までのレート。いまは {rating}。",
        "The rating from {first} to {last}, now {rating}.",
    ),
    "best_timed": ("3分間の自己最高: {best}題。", "Best in three minutes: {best}."),
    "best_ten_minutes": ("10分間の自己最高: {best}題。", "Best in ten minutes: {best}."),
    "best_survival": ("サバイバルの自己最高: {best}題。", "Best in survival: {best}."),
    "by_length": ("手数別", "By length"),
    "by_theme": ("手筋別", "By theme"),
    "tried": ("挑戦", "Tried"),
    "solved": ("正解", "Solved"),
    "clean": ("一度で正解", "First try"),
    "last_results": ("最近の結果：{signs}", "Last results: {signs}"),
    "calendar_signs": ("◎ 一度で正解　○ 正解　✗ 不正解", "◎ first try  ○ solved  ✗ failed"),
    "calendar": ("「今日の一題」の記録", "Problems of the day"),
    "weekdays": ("月 火 水 木 金 土 日", "Mon Tue Wed Thu Fri Sat Sun"),
    "day_open": ("未挑戦", "not tried"),
    "day_clean": ("一度で正解", "solved at the first attempt"),
    "day_solved": ("正解", "solved"),
    "day_failed": ("不正解", "failed"),
    # persons
    "sign_in_text": (
        "名前なしの成績は、名前を決めない人すべてに共通です。名前を決めると、そこから自分だけの成績が始まります。クラスにも入れます。",
        "Without a name, all here share one record. With one, your own begins, and you can join or open classes.",
    ),
    "sign_in_title": ("名前で記録する", "Sign in"),
    "name": ("名前", "Name"),
    "passphrase": ("パスワード（8文字以上）", "Passphrase (at least 8 characters)"),
    "sign_in": ("サインイン", "Sign in"),
    "sign_up": ("新しい名前を登録", "Sign up"),
    "sign_out": ("サインアウト", "Sign out"),
}


# --- the words of classes on the page of training of `tsume serve` ---------------------------------

CLASSROOM: dict[str, tuple[str, str]] = {
    "title": ("クラス", "Classes"),
    # joining and opening
    "join_title": ("クラスに参加する", "Join a class"),
    "seen": (
        "参加すると、あなたが何を解き、何を間違えたかが先生に見えます。見えるのは、名前、レート、この7日間に"
        "挑戦・正解・不正解の題数、最後に練習した日、課題の一題ごとの結果です。ほかの生徒には見えません。いつでも抜けられ、抜けるとすぐに見えなくなります。",
        "If you join, the teacher sees what you solved and what you failed: your name, your rating, how many problems "
        "you tried, solved and failed in the last seven days, the day on which you last practised, and the result of "
        "each problem of the list. Other pupils see nothing of it. You can leave at any time; then the teacher sees "
        "nothing any more, at once.",
    ),
    "name": ("クラスの名前", "Name of the class"),
    "passphrase": ("クラスのパスワード（8文字以上）", "Passphrase of the class (at least 8 characters)"),
    "join": ("参加する", "Join"),
    "open_title": ("クラスを開く（先生）", "Open a class (for teachers)"),
    "open_text": (
        "クラスの名前とパスワードを決めて、生徒に伝えてください。自分のパスワードとは別のものにします。",
        "Choose a name and a passphrase for the class and tell them to your pupils. Do not use your own passphrase.",
    ),
    "open": ("クラスを開く", "Open the class"),
    # a class of a pupil
    "taught_by": ("先生：{teacher}", "Teacher: {teacher}"),
    "list_untitled": ("課題", "Homework"),
    "list_left": ("{class}　{count}題中 {done}題正解", "{class} · solved: {done} of {count}"),
    "leave": ("クラスを抜ける", "Leave the class"),
    "leave_question": (
        "「{class}」を抜けますか？　先生にはあなたの結果が見えなくなります。",
        "Leave “{class}”? The teacher will not see your results any more.",
    ),
    # a class of a teacher
    "own": ("生徒 {count}人", "Pupils: {count}"),
    "no_pupils": (
        "まだ生徒がいません。クラスの名前とパスワードを伝えてください。",
        "There are no pupils yet. Tell them the name of the class and its passphrase.",
    ),
    "pupil": ("生徒", "Pupil"),
    "week": ("この7日間", "Last 7 days"),
    "failed": ("不正解", "Failed"),
    "last": ("最後", "Last"),
    "not_tried": ("・ 未挑戦", "· not tried"),
    "manage": ("課題・生徒・クラスの管理", "List, pupils, closing"),
    "list_title": ("課題の題名", "Title of the list"),
    "list_ids": (
        "問題の番号、または「この…題を解く」のアドレス",
        "Numbers of problems, or the address of “Solve these … problems”",
    ),
    "list_set": ("課題を出す", "Give this list"),
    "remove": ("{name} を外す", "Remove {name}"),
    "remove_question": ("{name} さんをクラスから外しますか？", "Remove {name} from the class?"),
    "close": ("クラスを閉じる", "Close the class"),
    "close_question": (
        "「{class}」を閉じますか？　生徒の成績は生徒に残りますが、クラスと課題は消えます。",
        "Close “{class}”? Pupils keep their results; the class and its list are gone.",
    ),
    # what went wrong
    "fault_class_unknown": (
        "クラスの名前かパスワードが違います。",
        "The name of the class or its passphrase is wrong.",
    ),
    "fault_class_taken": ("その名前のクラスがもうあります。", "There is a class of this name already."),
    "fault_class_full": ("クラスか生徒の数が上限に達しています。", "There is no room for more classes or pupils."),
    "fault_no_problem": ("その番号の問題がありません。", "There is no problem with one of these numbers."),
    "fault_too_often": ("回数が多すぎます。1分ほど待ってください。", "Too many attempts. Please wait a minute."),
}


# --- the words on the pages of `tsume site` that those of `tsume serve` do not have ----------------

SITE: dict[str, tuple[str, str]] = {
    "licence": ("権利について", "Licence"),
    "feed": ("更新情報 (Atom)", "Feed (Atom)"),
    "made_by": ("{program}で作成", "Made by {program}"),
    # lists
    "all": ("すべて", "All"),
    "by_length": ("手数別", "By length"),
    "by_theme": ("手筋別", "By theme"),
    "order_given": ("掲載順", "As listed"),
    "pages": ("ページ", "Pages"),
    # the licence file
    "comma": ("、", ", "),
    "offline": ("ネットワークにつながっていません", "There is no network"),
    "offline_text": (
        "このページはまだ開いたことがないため、いまは表示できません。開いたことのある問題と、"
        "トレーニング、創作のページは使えます。",
        "This page was not opened before and cannot be shown now. Problems that were opened work, "
        "and so do the pages for training and composing.",
    ),
    "rights": (
        "公開者は、問題の利用条件を示していません。",
        "The publisher of these pages has not stated the terms under which the problems may be used.",
    ),
    "composed": (
        "{number}題はプログラム tsume（{versions}）が創作しました。プログラムのライセンスは、創作"
        "された作品には及びません。",
        "{number} of the problems were composed by the program tsume ({versions}). The program's "
        "licence does not extend to the problems it composes.",
    ),
    "by_people": (
        "{number}題はほかから取り込んだもので、権利はそれぞれの作者にあります。",
        "{number} of the problems were imported; the rights in them belong to their composers.",
    ),
    "authors": ("作者: {names}", "Authors: {names}"),
    "program": (
        "このページのスクリプトとスタイル（static フォルダー）は {program} の一部で、GNU General "
        "Public License 第3版またはそれ以降のもとで利用できます（gnu.org/licenses）。置かれている"
        "ものがそのままソースです。",
        "The scripts and styles of these pages (in the folder static) are part of {program}, "
        "under the GNU General Public License, version 3 or later (gnu.org/licenses). The files "
        "there are their source.",
    ),
    "font": (
        "駒の漢字の形はYuji Boku（© 2021 The Yuji Project Authors、SIL Open Font License 1.1）、ほかの文字の形は"
        "IPAexゴシック（IPAフォントライセンス v1.0）によるものです。フォントそのものは含まれていません。",
        "The shapes of the kanji on pieces come from Yuji Boku (© 2021 The Yuji Project Authors, SIL Open Font "
        "License 1.1), those of other characters from IPAexGothic (IPA Font License v1.0). The fonts themselves "
        "are not part of these pages.",
    ),
}


# --- what `tsume serve` says of its addresses, and of what others may do there ---------------------

SERVING: dict[str, tuple[str, str]] = {
    "network": ("ほかの端末からのアドレス: {addresses}", "Addresses for other machines: {addresses}"),
    "no_network": (
        "この端末のネットワーク上のアドレスは分かりません。",
        "The address of this machine on its network is unknown.",
    ),
    "others_solve": (
        "ほかの端末からは閲覧して解くことだけができます。探索と保存はこの端末だけです（--open で許可）。",
        "Others may view and solve problems. Only this machine may search and save (--open allows all).",
    ),
    "others_solve_unsaved": (
        "ほかの端末からは閲覧して解くことだけができます。探索はこの端末だけです。保存は誰もできません。",
        "Others may view and solve problems. Only this machine may search. Nobody can save.",
    ),
    "others_search": (
        "誰でも閲覧して解き、探索できます。保存は誰もできません。",
        "Everybody may view and solve problems, and search. Nobody can save.",
    ),
    "others_save": (
        "誰でも閲覧して解き、探索し、保存できます。パスワードはありません。",
        "Everybody may view and solve problems, search, and save. There is no password.",
    ),
}


# --- the words of the API's description ------------------------------------------------------------

API: dict[str, tuple[str, str]] = {
    "title": ("API（プログラムから使う）", "API"),
    "about": (
        "詰将棋の判定・修正・改良・創作と、作品の保存を行います。指し手は USI、局面は SFEN で表し"
        'ます。向きは送られた SFEN のとおりです。エラーは {{"error": "一行の説明"}} で返します。',
        "Judge, mend, improve, compose and save tsume-shogi problems. Moves are in USI and "
        'positions in SFEN, in the orientation of the SFEN sent. Errors are {{"error": "one line"'
        "}}.",
    ),
    "document": ("OpenAPI 3.1 文書:", "As an OpenAPI 3.1 document:"),
    "body": ("リクエストの JSON", "JSON body"),
    "query": ("クエリパラメーター", "Query parameters"),
    "answers": ("レスポンス", "Responses"),
    "field": ("名前", "Name"),
    "values": ("値", "Values"),
    "meaning": ("意味", "Meaning"),
    "required": ("必須", "required"),
    "line_by_line": (
        "1行に1つの JSON オブジェクト（NDJSON）です。できた順に送り、最後の行は end です。接続を"
        "切ると処理も止まります。",
        "One JSON object per line (NDJSON), each sent as soon as it is ready; the last one is "
        "end. Closing the connection stops the work.",
    ),
    # requests
    "judgement": ("局面を詰将棋として判定する", "Judge a position as a problem"),
    "mending": ("完全作でない局面を修正する", "Repair a position that is not a perfect problem"),
    "enriching": ("作意を変えずに作品を改良する", "Improve a correct problem without changing its line"),
    "generating": (
        "条件に合う作品を創作する（保存はしない）",
        "Compose problems to given conditions; nothing is saved",
    ),
    "reading": (
        "文字列やファイルから図と作意を読み取る（KIF・KI2・CSA・JKF・BOD・SFEN・アドレス）",
        "Read a position and its line from a text or a file: KIF, KI2, CSA, JKF, BOD, SFEN, an address",
    ),
    "saving": (
        "作品を判定し、完全作またはキズのある作品なら保存する",
        "Judge a problem and save it if it is perfect or sound",
    ),
    "collection": ("tsume に付属する第二集を登録する", "Add the collection that comes with tsume to the store"),
    "position": ("作品の途中の局面で、それぞれの手がどうなるか", "What each move leads to in a position of a problem"),
    "tree": ("保存した作品の手順の木（変化と紛れ）", "The reply tree of a stored problem"),
    "record": ("局面と手順の棋譜", "The game record of a position and its line"),
    "diagram": ("局面図（SVG）", "A diagram of a position, as SVG"),
    "description": ("この説明（OpenAPI 3.1）", "This description, as OpenAPI 3.1"),
    # fields
    "sfen": ("局面（SFEN）。手番の側が攻方です", "The position, SFEN; the side to move is the attacker"),
    "line": ("作意（USI の指し手、空白区切り）", "The intended solution: USI moves separated by spaces"),
    "length_wanted": ("指定する手数", "The expected length in moves (plies)"),
    "length_mended": ("修正後の手数", "The length of the repaired problem in moves (plies)"),
    "length_composed": ("手数", "The length in moves (plies)"),
    "keep": ("変更しない升（5e など）", "Squares to leave unchanged, such as 5e"),
    "square": ("升", "A square"),
    "edits": ("変更数の上限", "The maximum number of changes"),
    "repairs": ("見つける完全作の数", "The number of perfect repairs to look for"),
    "suggestions": ("種類ごとの改良案の数", "The number of suggestions of each kind"),
    "plies": ("序奏として加える手数", "The number of moves in an introduction"),
    "count": ("題数", "The number of problems"),
    "natural": (
        "人の作品らしいものだけ（既定）。false なら余詰のないものすべて",
        "Only problems like those that people compose (default); false: all correct ones",
    ),
    "sound": ("キズのある作品も含める", "Problems with blemishes too"),
    "stars": ("星の数（難易度）", "Only problems with this many stars"),
    "themes": ("すべて含むべき手筋", "Only problems that show all these themes"),
    "theme": ("手筋", "A theme"),
    "pieces": (
        "盤上と攻方の持駒の枚数の上限（玉も数える）",
        "The maximum number of pieces on the board and in the attacker's hand, kings included",
    ),
    "line_wished": (
        "本手順の指し手。`tsume generate --line` と同じ書き方",
        "The moves of the main line, written as for `tsume generate --line`",
    ),
    "last_move": (
        "最終手。`tsume generate --last` と同じ書き方",
        "The last move, written as for `tsume generate --last`",
    ),
    "mate_on": (
        "玉が詰む升（5e）か範囲（corner、edge、centre）",
        "Where the king is mated: a square (5e) or a region (corner, edge, centre)",
    ),
    "moves_before": (
        "開始局面からの指し手（コンマ区切り）。木はその先から始まります。最後が王手なら、その王手の結果だけを答えます",
        "Moves from the first position, separated by commas: the tree starts after them. If the "
        "last one is a check, the tree says what it does",
    ),
    "whole": (
        "true なら、すべての応手と手順を含む木全体を返します",
        "true: the whole tree, with all answers and lines",
    ),
    "seed": (
        "乱数のシード。同じシードからは同じ作品ができる",
        "The random seed: the same seed gives the same problems",
    ),
    "text": ("読み取る文字列。text と data のどちらか一方を指定する", "The text to read; give either text or data"),
    "data": (
        "読み取るファイルの内容（base64）。文字コードは自動判別",
        "The bytes of a file to read, in base64; the encoding is detected",
    ),
    "replace": (
        "登録済みの作品なら、指定した作品名・作者・解説で置き換える（既定: false）",
        "Whether the given title, author and comment replace those of a problem that is stored already "
        "(default: false)",
    ),
    "problem_title": ("作品名", "The title"),
    "author": ("作者", "The author"),
    "comment": ("解説（改行可）", "A comment; may have several lines"),
    "format": ("棋譜の形式", "The format of the record"),
    "lang": ("言語（ja または en）", "The language: ja or en"),
    "after": ("何手目まで進めた局面か", "The number of moves of the line already played"),
    "last": ("最終手に印をつけるか（既定: true）", "Whether to mark the last move played (default: true)"),
    "id": ("作品の番号", "The problem number"),
    # statuses
    "done": ("成功", "Done"),
    "saved": ("保存した", "Saved"),
    "bad_value": ("値が正しくない", "Invalid value; the error names it"),
    "not_allowed": (
        "このコンピューター以外からは使えない、保存しない設定、または名前かパスワードが違う",
        "Not allowed from other sites or machines, saving is turned off, or name or passphrase is wrong",
    ),
    "not_there": ("見つからない", "Not found"),
    "too_large": ("大きすぎる", "Body too large"),
    "long_address": ("アドレスが長すぎる", "Address too long"),
    "no_json": ("JSON ではない", "The content type is not JSON"),
    "not_done": ("値は正しいが、実行できない", "Valid, but cannot be done; the error says why"),
    "busy": ("混雑、または時間切れ", "Busy or timed out; try again later"),
}


# --- the phrases about training in the description of the API --------------------------------------

TRAINING_API: dict[str, tuple[str, str]] = {
    # requests
    "me": ("自分の名前とレート。誰でもなければ null", "One's own name and rating; null for nobody"),
    "person_adding": ("名前とパスワードを登録し、サインインする", "Choose a name and a passphrase, and sign in"),
    "signing_in": ("サインインする", "Sign in"),
    "signing_out": ("サインアウトする", "Sign out"),
    "training_next": ("次の問題", "The next problem"),
    "training_problems": ("番号で選んだ問題", "Problems by their numbers"),
    "training_days": (
        "「今日の一題」の順番: 番号、手数、星の数",
        "The rotation of the problem of the day: number, length and stars",
    ),
    "result_adding": ("結果を保存する", "Save a result"),
    "run_adding": ("タイムアタック・サバイバルの結果を保存する", "Save a timed run or a survival run"),
    "progress": ("成績", "Progress"),
    "results": ("自分の結果の CSV", "One's own results as CSV"),
    "classes": ("自分が教える、または参加しているクラス", "The classes that one teaches or has joined"),
    "class_opening": ("クラスを開く", "Open a class"),
    "class_joining": ("クラスに参加する", "Join a class"),
    "class_closing": ("自分のクラスを閉じる", "Close a class of one's own"),
    "class_list": ("クラスの課題を替える", "Replace the list of problems of a class"),
    "pupil_removing": (
        "生徒をクラスから外す。生徒自身なら抜ける",
        "Remove a pupil from a class, as its teacher, or leave it as the pupil",
    ),
    # fields
    "class_id": ("クラスの番号", "The number of the class"),
    "pupil_id": ("生徒の番号", "The number of the pupil"),
    "list_title": ("課題の題名", "The title of the list"),
    "list_ids": ("問題の番号の配列。空なら課題なし", "Numbers of problems; none: no list"),
    "name": ("名前", "The name"),
    "passphrase": ("パスワード（8文字以上）", "The passphrase, of at least 8 characters"),
    "mode": (
        "出題のしかた: レート順、復習、タイムアタック、サバイバル、四択、今日の一題、自由（free）",
        "How the problem comes up: by rating, as a review, in a timed or a survival run, with four choices, as that "
        "of the day; free: on its own page",
    ),
    "run_mode": ("タイムアタックかサバイバル", "A timed run or a survival run"),
    "tag_wanted": ("このタグのある問題だけ", "Only problems with this tag"),
    "theme_wanted": ("このどれかの手筋のある問題だけ", "Only problems with one of these themes"),
    "moves_wanted": ("このどれかの手数の問題だけ", "Only problems of one of these lengths in moves (plies)"),
    "unsolved": ("まだ解いていない問題だけ", "Only problems that are not solved yet"),
    "ids": ("問題の番号（カンマ区切り）", "Numbers of problems, separated by commas"),
    "not": ("除く問題の番号（カンマ区切り）", "Numbers of problems to leave out, separated by commas"),
    "solved_in_run": ("この回に解いた題数", "The number of problems solved in this run"),
    "day": ("日付（YYYY-MM-DD）。既定はサーバーの今日", "The date (YYYY-MM-DD); by default today's"),
    "solved": ("最後まで解いたか", "Whether it was solved to the end"),
    "moves_played": ("指した手数", "The number of moves played"),
    "mistakes": ("間違えた回数", "The number of mistakes"),
    "hints": ("ヒントを見た回数", "The number of hints"),
    "seconds": ("秒数", "Seconds"),
    "completes": (
        "最初のミスかヒントで保存した結果の番号。その後の経過で書き換え、レートは変えない",
        "The number of the result that was saved at the first mistake or hint: it gets what came "
        "afterwards, and the rating stays",
    ),
    # statuses
    "taken": ("その名前は使われている", "The name is taken"),
    "too_often": ("回数が多すぎる。しばらくしてから", "Too many attempts; try again later"),
}
