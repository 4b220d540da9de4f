# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of judgements, findings, explanations, reply trees and changes: what is said of one problem."""

from __future__ import annotations

JUDGEMENT: dict[str, tuple[str, str]] = {
    # the problem as a whole
    "mate": ("{grade} {length}手詰", "{grade} in {length}"),
    "line": ("{head}: {line}{end}{longer}", "{head}: {line}{end}{longer}"),
    "longer": ("（無駄合を含む手順）", " (a futile interposition is played out)"),
    "faults": ("不完全作の理由: {faults}", "faults (不完全作): {faults}"),
    "blemishes": ("キズ: {blemishes}", "blemishes (キズ): {blemishes}"),
    "not_settled": ("制限内では調べ切れなかった条件: {defects}", "not settled within the limits: {defects}"),
    "defect": ("  {term}: {head}", "  defect {term}: {head}"),
    "longer_leaves": ("駒の余る2手長い変化があります", "a defence two moves longer leaves pieces"),
    "note": ("  備考: {note}", "  note: {note}"),
    "complete_but_for": ("{classes}を除けば完全です{proved}", "complete but for {classes}{proved}"),
    "class_at": ("{term}（{number}手目）", "{term} (move {number})"),
    "and_class": ("と", " and "),
    "as_searched": ("（調べた範囲で）", ", as far as was searched"),
    "searched_to_the_end": ("余詰は手数無制限で検討しました", "second solutions were searched for at any length"),
    "searched_within": ("余詰は{moves}以内で検討しました", "second solutions were searched for within {moves}"),
    "restoring": (
        "  復元型無駄合を除けば{length}手: {line}（{number}手目 {drop} などは取って元の局面に戻るだけ）",
        "  without drops that only restore the position (復元型無駄合) {length}: {line} "
        "(move {number}, {drop}, is one)",
    ),
    "without_moved": (
        "  移動合も無駄合と見れば{length}手: {line}（{number}手目 {move} などは取られるだけ）",
        "  without moved interpositions that are only captured (移動合) {length}: {line} "
        "(move {number}, {move}, is one)",
    ),
    "without_longer": (
        "駒の余る2手長い変化（変長）を除けば{length}手詰とも見られます: {line}",
        "mate in {length} may be meant, if defences two moves longer that leave pieces (変長) do not count: {line}",
    ),
    "stopped": (
        "判定が決まったところで打ち切りました（--all-findings で全て調べます）",
        "stopped once the grade was settled; --all-findings examines the rest",
    ),
    "readings_agree": (
        "。無駄合のどの解釈でも答えは同じです（狭義・厳格・広義）",
        "; the readings of futile interpositions agree (無駄合: narrow = purist = wide)",
    ),
    # what is said of the position as it was given
    "rotated": (
        "後手が攻方です。盤と指し手は後手の側から示します",
        "White is the attacker; the board and the moves are shown from White's side",
    ),
    "completed_one": ("足りない1枚を玉方の持駒に加えました", "1 missing piece given to the defender's hand"),
    "completed": ("足りない{number}枚を玉方の持駒に加えました", "{number} missing pieces given to the defender's hand"),
    # a given line
    "given": ("作意", "GIVEN_LINE (作意)"),
    "given_line": ("{given}: {line}（{moves}）", "{given}: {line} ({moves})"),
    "given_text": ("{given}: {text}", "{given}: {text}"),
    "given_stops": (
        "{moves}のうち{number}手目までの記録です（そこまでは正しい手順です）",
        "the record stops after {number} of {moves}",
    ),
    "given_is_wrong": (
        "{number}手目 {move} は最善ではありません{better}",
        "move {number}, {move}, is not best{better}",
    ),
    "given_is_impossible": (
        "{number}手目 {move} は指せません{better}",
        "move {number}, {move}, cannot be played{better}",
    ),
    "given_is_no_check": (
        "{number}手目 {move} は王手ではありません{better}",
        "move {number}, {move}, gives no check{better}",
    ),
    "given_fails": ("受ける手があるので詰みません", "the defender can escape"),
    "better": ("。正しくは {move}", ": better is {move}"),
    "given_narrow": ("これも最善の手順です", "a best line too"),
    "given_purist": ("厳格な解釈では最善の手順です", "best by the purist reading"),
    "given_wide": ("広義の解釈では最善の手順です", "best by the wide reading"),
    "given_longer": (
        "駒の余る長い変化（変長）を除けば最善の手順です",
        "best except for longer defences that leave pieces (変長)",
    ),
    "given_parts": (
        "。プログラムの解（{length}）とは{number}手目で分かれます",
        "; it leaves the program's line of {length} at move {number}",
    ),
    # a second engine
    "not_heard": (
        "  第二のエンジンは答えませんでした（制限: {limit}）",
        "  the second engine did not answer: {limit} limit reached",
    ),
    "disagree": ("  二つのエンジンの答えが一致しません: {differences}", "  THE ENGINES DISAGREE: {differences}"),
    "agree": ("  二つのエンジンの答えは一致しました", "  both engines agree"),
    # limits
    "limit_nodes": ("局面数", "nodes"),
    "limit_seconds": ("時間", "seconds"),
    "limit_length": ("手数", "length"),
    "limit_memory": ("メモリー", "memory"),
}


# --- the phrases of findings: the sentences that show a defect or a remark -------------------------

FINDINGS: dict[str, tuple[str, str]] = {
    "starts_in_check": ("初形で攻方の玉に王手がかかっている", "the attacker's king is in check at the start"),
    "in_check": ("攻方の手番で玉に王手がかかっています", "the defender's king is in check with the attacker to move"),
    "both_in_check": ("両方の玉に王手がかかっています", "both kings are in check"),
    "no_king": ("{side}の玉がありません", "the {side} has no king"),
    "only_attacker_s_king": (
        "{side}の玉がありません。玉があるのは手番の側だけです。攻方が逆なら手番を変えてください（SFEN の b と w）",
        "the {side} has no king, only the side to move has one;"
        " if the other side attacks, let it move (b or w in an SFEN)",
    ),
    "kings": ("{side}の玉が{number}枚あります（{squares}）", "the {side} has {number} kings: {squares}"),
    "two_pawns": (
        "{side}の歩が同じ筋に{number}枚あります（二歩）: {squares}",
        "the {side} has {number} pawns on one file (二歩): {squares}",
    ),
    "dead_piece": (
        "{side}の{squares}{piece}は行き所のない駒です",
        "the {side}'s {piece} on {squares} can never move (行き所のない駒)",
    ),
    "too_many": (
        "{piece}が{number}枚あります（一組には{full}枚）",
        "there are {number} pieces of the kind {piece}; a set has {full}",
    ),
    # no mate, another length
    "all_fail": ("どの王手でも詰みません（{checks}通り）", "no check mates ({checks} tried)"),
    "no_check": ("王手がありません", "there is no check"),
    "other_length": (
        "{expected}手詰のはずですが{actual}手で詰みます{sooner}",
        "expected mate in {expected}, found mate in {actual}{sooner}",
    ),
    "sooner": ("（早詰）", " (早詰)"),
    "try_no_check": (
        "{check}には{answer}{only}で王手が続きません{cause}",
        "{check} is met by {answer}{only}: no further check{cause}",
    ),
    "try_any_length": (
        "{check}には{answer}{only}で詰みません{cause}",
        "{check} is met by {answer}{only}: no mate afterwards{cause}",
    ),
    "try_bounded": (
        "{check}には{answer}{only}で{moves}以内には詰みません{cause}",
        "{check} is met by {answer}{only}: no mate within {moves} afterwards{cause}",
    ),
    "only": ("の一手", ", the only answer"),
    "more_checks": ("… ほかの{number}通りの王手でも詰みません", "… and {number} more checks, none of which mates"),
    "pawn_drop_mate": ("（{line}は打歩詰）", " ({line} would be mate by a dropped pawn, 打歩詰)"),
    "repetition": (
        "（王手は続きますが、連続王手の千日手です）",
        " (the checks go on, but only repeat positions, 連続王手の千日手)",
    ),
    "cycle": ("（{line}と繰り返すのは連続王手の千日手）", " (repeating {line} is perpetual check, 連続王手の千日手)"),
    "counter_check": ("（逆王手）", " (which checks the attacker's king, 逆王手)"),
    "forbidden": ("{drop} は打歩詰の禁じ手です", "{drop} would be mate by a dropped pawn, which is forbidden (打歩詰)"),
    "more_checks_one": ("… ほかの1通りの王手でも詰みません", "… and 1 more check, which does not mate either"),
    # second solutions
    "same_effect": (
        "{number}手目、{check} でも {key} と同じことです",
        "move {number}, {check} has the same effect as {key}",
    ),
    "same_position": (
        "{number}手目、{check} でも {key} でもすぐ取られて同じ局面になります",
        "move {number}, {check} leaves the same position as {key}, as the piece is captured at once",
    ),
    "instead": ("{number}手目、{key} に代えて {check} でも詰みます", "move {number}, {check} instead of {key}"),
    "instead_mates": (
        "{number}手目、{key} に代えて {check} でも{moves}で詰みます（{late}）",
        "move {number}, {check} instead of {key} mates in {moves} ({late})",
    ),
    "classified": ("{text}（{term}{joins}{proved}）", "{text}, {term}{joins}{proved}"),
    "joins": ("、{number}手目から作意と同じ", " that joins the line at move {number}"),
    "comes_back": ("、{number}手目の局面に戻る", " that comes back to move {number}"),
    "as_searched": ("、調べた範囲で", " as far as was searched"),
    "later": ("{number}手長い", "{number} later"),
    "as_soon": ("同手数", "just as soon"),
    "forms": ("{number}手目、{key} に代えて {checks} でも同じです", "move {number}, instead of {key} also {checks}"),
    # pieces
    "left_in_hand": ("{hand}が余ります", "{hand} left in hand"),
    "number_of": ("{kind}{number}枚", "{number} {kind}s"),
    "needless": ("{piece}は不要です", "{piece} is not needed"),
    "smaller": ("  この駒を除いた図: {sfen}", "  without it: {sfen}"),
    # readings of futile interpositions
    "readings_differ": ("解釈によって答えが変わります", "the readings differ"),
    "futile_drop_lasts": (
        "無駄合 {drop} と同じだけ手数の延びる応手がほかにありません",
        "no other defence lasts as long as the futile drop {drop}",
    ),
    "futile_by": ("{drop} を無駄合とするのは{readings}の解釈だけです", "the drop {drop} is futile by {readings} only"),
    "and": ("と", " and "),
    "narrow": ("狭義", "narrow"),
    "purist": ("厳格", "purist"),
    "wide": ("広義", "wide"),
    "lengths": ("狭義{narrow}手、厳格{purist}、広義{wide}手", "narrow {narrow}, purist {purist}, wide {wide}"),
    "purist_length": ("{number}手", "{number}"),
    "none_within": ("{number}手以内になし", "none within {number}"),
    "length": ("手数: {lengths}", "length: {lengths}"),
    "clauses": ("。", "; "),
    "parting": ("{number}手目に{plies}手で詰む王手{where}:", "checks at move {number} that mate in {plies}{where}:"),
    "parting_after": ("（{line} の後）", " after {line}"),
    "no_moves": ("なし", "none"),
    "mates_in": ("（{length}手で詰む）", " (mates in {length})"),
    # other defences, other mates
    "equal_defence": ("{number}手目、{answers} も同手数です", "move {number}, also {answers}, equally long"),
    "also": ("（{moves} も同じ）", " (also {moves})"),
    "last_moves": (
        "{number}手目、{key} に代えて {moves} でも詰みます",
        "move {number}, {moves} mates instead of {key}",
    ),
    "last_moves_for": ("{key} に代えて {moves}", "{moves} for {key}"),
    "after": ("{line} の後: ", "after {line}: "),
    "variation_mate": (
        "作意より短い {answer} の変化に、作意と同手数の詰みがあります",
        "after {answer}, a shorter defence, this mate is as long as the main line",
    ),
    # lines
    "branch": ("{moves}進めた局面（{start}）: {rest}", "after {moves} ({start}): {rest}"),
}


# --- the phrases of explanations -------------------------------------------------------------------

EXPLANATION: dict[str, tuple[str, str]] = {
    # the problem as a whole
    "head": ("{length}手詰: {line}", "Mate in {length}: {line}"),
    "comment": ("解説: {comment}", "Comment: {comment}"),
    "no_mate": ("不詰です。", "There is no mate."),
    "illegal": ("不正な初形です: {fault}。", "Illegal start: {fault}."),
    "correct": ("完全作です。", "A correct problem."),
    "sound": ("キズのある作品です。", "Sound, but with blemishes."),
    "not_correct": ("完全作ではありません（{defects}）。", "Not a correct problem ({defects})."),
    "stopped": (
        "判定が決まったところで検討を打ち切りました。ほかにも欠陥があるかもしれません。",
        "Examination stopped there; there may be other defects.",
    ),
    "blemishes": ("キズ: {blemishes}", "Blemishes: {blemishes}."),
    "unresolved": (
        "制限内では完全作かどうか分かりませんでした。",
        "A limit was reached before it was known whether the problem is correct.",
    ),
    "incomplete": ("制限に達したため、説明はここまでです。", "A limit was reached: the explanation stops here."),
    "rotated": (
        "後手が攻方です。盤の向きを逆にして説明します。",
        "White is the attacker: the board is rotated, and squares are named from White's side.",
    ),
    # a turn
    "turn": ("【{number}手目】{key}", "Move {number}: {key}"),
    "start": ("【初手】", "Move 1"),
    "final": ("これで詰みです。", "This is mate."),
    # the defender's answers
    "variation": (
        "変化: {answers}には{line}まで{total}手詰{remarks}",
        "Variation: {answers} is met by {line}, mate in {total}{remarks}.",
    ),
    "forbidden": ("打歩詰: {drop}は禁じ手です", "Forbidden: {drop} would be mate by a dropped pawn (打歩詰)."),
    "pin": (
        "詰上り: 玉方の{pieces}はピンされていて動けません",
        "The mate rests on a pin: {pieces} cannot leave the line to the king.",
    ),
    "double_check": (
        "詰上り: 両王手なので、取る手も合駒も利きません",
        "The mate is a double check: no capture or interposition answers both.",
    ),
    "counter_check": ("逆王手", "checks the attacker's king, 逆王手"),
    "as_long": ("変同", "as long as the main line"),
    "leftover": ("駒余り", "leaving pieces in hand"),
    "futile": (
        "無駄合: {drops}（取っても手順は変わりません）",
        "Futile: drops on {drops}; capturing them changes nothing.",
    ),
    "futile_drop": ("△{square}合は{take}", "{square} ({take})"),
    # other checks
    "without_check": ("王手がありません", "There is no check."),
    "no_check": (
        "紛れ: {check}には{answer}{only}で王手が続きません{cause}",
        "Try: {check} fails to {answer}{only}: no further check{cause}.",
    ),
    "any_length": (
        "紛れ: {check}には{answer}{only}で詰みません{cause}",
        "Try: {check} fails to {answer}{only}: no mate{cause}.",
    ),
    "bounded": (
        "紛れ: {check}には{answer}で{moves}以内の詰みはありません（それ以上は調べきれていません）{cause}",
        "Try: {check} is answered by {answer}: no mate within {moves} (unknown beyond that){cause}.",
    ),
    "only": ("の一手", " (the only answer)"),
    "more_tries": (
        "ほかの王手 {checks} でも詰みません（--all で全て表示）",
        "Other checks fail too: {checks} (use --all for details).",
    ),
    "last_move": ("最終手余詰: {checks}でも詰みます", "Also mate: {checks}."),
    "longer": ("遠回り: {checks}でも詰みますが、{total}手かかります", "Later mate, in {total} moves: {checks}."),
    "detour": (
        "迂回手順: {checks}でも詰みますが、元の局面に戻るだけです",
        "Detour: also mate by {checks}, but only by returning to the main line.",
    ),
    "merging": (
        "合流: {checks}でも詰みますが、後で作意に合流するだけです",
        "Merging: also mate by {checks}, but only by joining the main line later.",
    ),
    "order": (
        "手順前後: {checks}でも詰みますが、手順を入れ替えて作意に合流するだけです",
        "Change of order: also mate by {checks}, by joining the main line in time.",
    ),
    "ending": ("収束余詰: {checks}でも詰みます", "Cook in the ending: also mate by {checks}."),
    "leaves_pieces": ("余詰: {checks}でも駒が余って詰みます", "Cook: also mate by {checks}, leaving pieces in hand."),
    "form": ("非限定: {checks}でも{moves}で詰みます", "Undetermined form: also mate by {checks}, in {moves}."),
    "same_position": (
        "同一局面: {checks}でもすぐ取られて同じ局面になります",
        "Same position: {checks} too, as the piece is captured at once.",
    ),
    "cook": ("余詰: {checks}でも{moves}で詰みます", "Cook: also mate by {checks}, in {moves}."),
    "mates_too": ("{checks}でも{moves}で詰みます", "Also mate by {checks}, in {moves}."),
    "mates_somehow": (
        "{checks}でも詰みます（手数は調べきれていません）",
        "Also mate by {checks} (number of moves unknown).",
    ),
}


# --- the phrases of reply trees --------------------------------------------------------------------

REPLY_TREE: dict[str, tuple[str, str]] = {
    # the tree as a whole
    "head": ("{length}手詰: {line}", "Mate in {length}: {line}"),
    "no_mate": ("不詰です。", "There is no mate."),
    "unresolved": (
        "制限内では詰むかどうか分かりませんでした。",
        "A limit was reached before it was known whether there is a mate.",
    ),
    "rotated": (
        "後手が攻方です。盤の向きを逆にして示します。",
        "White is the attacker: the board is rotated, and squares are named from White's side.",
    ),
    "incomplete": (
        "制限に達したため、調べきれていないところがあります。",
        "A limit was reached: parts of the tree are unknown.",
    ),
    # a turn
    "start": ("初形", "start"),
    "turn": ("［{id}］{path}: あと{length}手で詰み", "[{id}] {path}: mate in {length}"),
    "turn_without_mate": ("［{id}］{path}: 不詰", "[{id}] {path}: no mate"),
    "turn_open": ("［{id}］{path}: 未解明", "[{id}] {path}: open"),
    # a check that mates
    "key": ("{check} 正解、{length}手", "{check} key, mate in {length}"),
    "form": ("{check} 非限定、{length}手", "{check} another form of the key, mate in {length}"),
    "as_soon": ("{check} 同手数で詰み、{length}手", "{check} just as soon, mate in {length}"),
    "later": ("{check} 手数の長い詰み、{length}手", "{check} later, mate in {length}"),
    "mate": ("{mates}（詰上り）", "{mates}: mate"),
    # an answer to it
    "best": ("{answer} 最善、{where}", "{answer} best, {where}"),
    "answer": ("{answer} {where}", "{answer} {where}"),
    "drops": ("△{square}合（{kinds}）", "a drop on {square} ({kinds})"),
    "to_turn": ("［{turn}］へ（あと{length}手）", "to [{turn}] (mate in {length})"),
    "by_line": ("{line}まで{length}手", "{line}, mate in {length}"),
    "futile": ("{answer} 無駄合（{take}）、{where}", "{answer} futile ({take}), {where}"),
    # a check that fails
    "no_check": (
        "{check}には{answer}（{manner}）で王手が続きません{cause}",
        "{check} fails: {answer} {manner}; no further check{cause}",
    ),
    "any_length": (
        "{check}には{answer}（{manner}）で詰みません{cause}",
        "{check} fails: {answer} {manner}; no mate{cause}",
    ),
    "bounded": (
        "{check}には{answer}（{manner}）で{moves}以内の詰みはありません（それ以上は調べきれていません）{cause}",
        "{check} is met: {answer} {manner}; no mate within {moves} (unknown beyond that){cause}",
    ),
    "not_found": (
        "{check}には{answer}（{manner}）で、詰みが見つかりません{cause}",
        "{check} fails: {answer} {manner}; no mate was found{cause}",
    ),
    "searched": (
        "{moves}以内に詰みがないことを確かめました。それより長い詰みがないとは言い切れません。",
        "There is no mate within {moves}; a longer one cannot be excluded.",
    ),
    "takes_checker": ("王手の{taken}を取る", "takes the checking {taken}"),
    "moves_king": ("玉が動く", "moves the king"),
    "moves_king_taking": ("玉で{taken}を取る", "takes the {taken} with the king"),
    "moves_between": ("{piece}の移動合", "moves the {piece} between"),
    "drops_between": ("{piece}合", "drops a {piece} between"),
    "forbidden": ("{drop} 打歩詰の禁じ手", "{drop} forbidden: mate by a dropped pawn (打歩詰)"),
    # an open check
    "open": ("{check} 未解明", "{check} open"),
    "open_mates": ("{check} 詰み（手数は未解明）", "{check} mates (number of moves unknown)"),
}


# --- the phrases of `tsume mend` and `tsume enrich`: changes of a problem, what they are worth -----

CHANGES: dict[str, tuple[str, str]] = {
    # changes
    "shift": ("全体を{steps}移動", "shift everything by {steps}"),
    "left": ("左へ{number}", "{number} to the left"),
    "right": ("右へ{number}", "{number} to the right"),
    "down": ("下へ{number}", "{number} down"),
    "up": ("上へ{number}", "{number} up"),
    "and": ("、", " and "),
    "add_in_hand": ("持駒に{kind}を追加", "add a {kind} in hand"),
    "add": ("{piece}を追加", "add {piece}"),
    "move": ("{piece}を{square}に移動", "move {piece} to {square}"),
    "take_in_hand": ("{piece}を持駒に変更", "take {piece} into the hand"),
    "put_on_board": ("{piece}を{square}に配置", "put {piece} on {square}"),
    "exchange": ("{piece}を{other}に変更", "exchange {piece} for {other}"),
    "take_off": ("{piece}を除去", "remove {piece}"),
    "nothing": ("空き升", "nothing"),
    "same_side": ("{kind}", "a {kind}"),
    "other_side": ("{side}の{kind}", "the {side}'s {kind}"),
    "clauses": ("、", "; "),
    "begin_with": ("冒頭に {line} を追加", "begin with {line}"),
    # what came of them
    "worth": (
        "質 {quality:.1f}、作品らしさ {likeness}%、使用駒 {material}点",
        "quality {quality:.1f}, likeness {likeness}%, material {material}",
    ),
    "gain": ("{worth}: {gain:+.1f}", "{worth}: {gain:+.1f}"),
    "nothing_to_mend": ("修正すべき点はありません", "nothing to mend"),
    "alternatives": ("（または {changes}）", " (or {changes})"),
    "or": ("、または ", ", or "),
    "more": ("…", ", …"),
    "none_legal": (
        "修正案は見つかりませんでした。一箇所の変更では正しい初形になりません{cut}",
        "no repair found: no single change makes a legal start{cut}",
    ),
    "none_mates": (
        "修正案は見つかりませんでした。変更した{tried}局面のうち、詰むと分かったものがありません{cut}",
        "no repair found: of {tried} changed positions none was seen to mate{cut}",
    ),
    "none_correct": (
        "修正案は見つかりませんでした。変更した{tried}局面のうち{mating}局面は詰みますが、条件に合うものがありません{cut}",
        "no repair found: of {tried} changed positions {mating} mate, but none as required{cut}",
    ),
    "cut_short": ("（時間切れ）", " (time ran out)"),
    "nearest": ("最も近い詰む局面: {changes}", "nearest position that mates: {changes}"),
    "nothing_to_suggest": ("改良案はありません", "nothing to suggest"),
}

COMMENT: dict[str, tuple[str, str]] = {
    "at_move": ("{number}手目{move}", "{move} at move {number}"),
    # a failing check that a player thinks of
    "try_flight": ("{check}は{answer}と逃げられて詰まない。|{check}が自然に見えるが、{answer}で逃れる。"
        "|{check}は{answer}で届かない。",
        "{check} looks natural, but the king gets away by {answer}.|After {check} the king slips out by {answer}."
        "|{check} lets the king go: {answer}."),
    "try_king_takes": ("{check}は{answer}と{taken}を取られて詰まない。|{check}には{answer}と{taken}を取る手がある。",
        "{check} looks natural, but {answer} wins the {taken}.|{check} fails, because the king takes the {taken}: "
        "{answer}."),
    "try_taken": ("{check}は{answer}で詰まない。|{check}は{answer}と取られて続かない。",
        "{check} fails to {answer}."),
    "try_dropped_between": ("{check}と迫りたくなるが、{answer}の合駒で詰まない。"
        "|{check}は{answer}と合駒されて逃れる。",
        "{check} suggests itself, but {answer} comes between.|{check} fails to the interposition {answer}."),
    "try_moved_between": ("{check}には{answer}の移動合があって詰まない。",
        "{check} suggests itself, but {answer} comes between."),
    "try_pawn_drop": ("{check}は{answer}のとき{drop}が打歩詰になる。",
        "{check} looks natural, but after {answer} the mating {drop} would be a forbidden pawn-drop mate."),
    "try_no_check": ("{check}は{answer}で王手が続かない。|{check}は{answer}とされて後続手がない。",
        "{check} runs dry: after {answer} there is no further check.|After {check} {answer} the checks are over."),
    "try_early": ("{check}はまだ早く、{answer}で詰まない。|{check}では早すぎ、{answer}で逃れる。"
        "|{check}を急ぐと{answer}で失敗する。|{check}は{answer}があるのでまだ指せない。",
        "{check} is too early: it fails to {answer}.|{check} would be premature because of {answer}.|{check} comes "
        "too soon because of {answer}.|{check} has to wait: now it fails to {answer}."),
    # what a move of the line achieves
    "decoy_from_guard": ("{check}が好手で、{origin}の{piece}を動かして{guarded}への利きを外す。"
        "|{check}と捨てて{origin}の{piece}をつり出し、{guarded}への利きを外すのが急所。",
        "{check} draws the {piece} away from {origin}, where it guards {guarded}.|The point is {check}: it "
        "lures the {piece} off {origin}, where it guards {guarded}."),
    "decoy_from_between": ("{check}が好手で、{origin}の{piece}を動かして{guarded}の受けを消す。",
        "{check} draws the {piece} away from {origin}, from where it could come between on {guarded}."),
    "decoy_from_own": ("{check}で{origin}の{piece}を動かし、{on}の{slider}の利きを{guarded}に通すのが好手。"
        "|{check}と捨てて{origin}の{piece}をどかすのが急所で、{on}の{slider}が{guarded}に利いてくる。",
        "{check} draws the {piece} away from {origin}, so that the {slider} on {on} guards {guarded}.|The point is "
        "{check}: once the {piece} has left {origin}, the {slider} on {on} guards {guarded}."),
    "decoy_from_way": ("{check}で{origin}の{piece}をどかし、{later}の筋を通すのが好手。|{check}と捨てるのがうまく、"
        "{origin}の{piece}が動いて{later}が利く。",
        "{check} draws the {piece} away from {origin}, where it blocks the line of {later}.|{check} opens the line "
        "for {later} by drawing the {piece} away from {origin}."),
    "decoy_for_drop": ("{check}で{origin}の{piece}を動かし、空いた所に{later}と打つのが好手。"
        "|{check}と捨てて{origin}の{piece}をどかし、{later}と打つ所を作るのが急所。",
        "{check} draws the {piece} away from {origin}, so that {later} becomes possible.|{check} makes room for "
        "{later} by drawing the {piece} away from {origin}."),
    "decoy_for_pawn_drop": ("{check}が打歩詰を避ける好手で、{origin}の{piece}を動かして{later}を打てるようにする。",
        "{check} draws the {piece} away from {origin}: had it stayed there, {later} would be a forbidden pawn-drop "
        "mate."),
    "decoy": ("{check}で{origin}の{piece}を動かすのが急所。|{check}が巧妙で、{piece}が{origin}にいては詰まない。",
        "{check} draws the {piece} away from {origin}; had it stayed there, there would be no mate."),
    "block": ("{check}を{piece}に取らせ、{square}の逃げ道をふさぐのが好手。"
        "|{check}と捨てて{piece}を{square}に呼び、玉の退路を断つ。",
        "{check} makes the {piece} capture on {square}, where it takes a square from its king.|The point is "
        "{check}: on {square} the {piece} blocks the flight of its own king."),
    "block_for_now": ("{check}を{piece}に取らせ、{square}への逃げ道をふさいでおく。",
        "{check} makes the {piece} capture on {square}, where it will be in its king's way.|After {check} the "
        "{piece} stands on {square}, in its king's way."),
    "king_lure_mate": ("{check}と捨てて玉を{square}に呼び、{later}で詰む。|{check}が決め手で、"
        "玉を{square}に呼んで{later}まで。",
        "{check} draws the king to {square}, where {later} mates.|With {check} the king is drawn to {square} and "
        "mated by {later}."),
    "king_lure": ("{check}と捨てて玉を{square}に呼ぶのが急所。",
        "{check} draws the king to {square}, the square on which it is mated in the end."),
    "focus": ("{check}は{on}の{one}と{off}の{other}の焦点に捨てる好手。",
        "{check} is given up where the {one} on {on} and the {other} on {off} meet: each capture allows another "
        "mate."),
    "drop": ("{check}は限定打で、遠近を変えると詰まない。",
        "{check} has to be dropped exactly there: from no other square of its line does it mate."),
    "drop_not_nearer": ("{check}は限定打で、{nearer}からでは{answer}で詰まない。",
        "{check} has to be dropped exactly there: from {nearer} it fails to {answer}."),
    "drop_to_promote": ("{check}と敵陣に打つのが急所で、{nearer}からでは成れず{answer}で詰まない。",
        "{check} is dropped so far away to promote later: from {nearer}, outside the zone, it fails to {answer}."),
    "drop_apart": ("{check}と離して打つのが急所で、{nearer}では{answer}と取られる。|{check}は離して打つところで、"
        "{nearer}では{answer}がある。", "{check} keeps its distance: on {nearer} it is lost to {answer}."),
    "plain_for_pawn_drop": ("{check}が打歩詰を避ける妙手で、成ると{drop}が打歩詰になる。",
        "{check} avoids a pawn-drop mate: after the promotion {drop} would be one."),
    "plain_fails": ("{check}と成らないのが急所で、成ると{answer}で詰まない。|{check}が妙手。"
        "成っては{answer}で逃れる。", "{check} must not promote: promoted, it fails to {answer}."),
    "plain": ("{check}と成らないのが急所。", "{check} must not promote: promoted, it does not mate."),
    "removal": ("{square}の{piece}が邪魔駒で、{check}と捨てて消すのが急所。|{check}が好手。"
        "邪魔な{square}の{piece}を捨てる。",
        "The attacker's own {piece} on {square} is in the way, and {check} gives it up."),
    "replacement": ("{check}と{piece}を捨て、空いた{square}に{other}を打ち換える。"
        "|{check}から{square}に{other}を打つ、打ち換えの手筋。",
        "{check} gives up the {piece}, so that a {other} can be dropped on {square} instead.|{check} clears "
        "{square}, where a {other} is needed in place of the {piece}."),
    "switchback": ("{check}で元の位置に戻るのが面白い。", "{check} returns to the square from which the piece came."),
    "moved_interposition": ("{check}には{answer}の移動合が最善の受け。",
        "Against {check} the best defence is to move a piece between: {answer}."),
    "given_interposition": ("{check}には{answer}の捨合が最善の受け。",
        "Against {check} the best defence gives a piece away in between: {answer}."),
    "interposition": ("{check}には{answer}の合駒が最善の受け。",
        "Against {check} the best defence is to drop a piece between: {answer}."),
    "chuai": ("{check}には{answer}の中合が最善の受け。",
        "Against {check} the best defence is {answer}, an interposition that nothing guards."),
    "pawn_drop_lure": ("{check}には{answer}が打歩詰に誘う受け。",
        "{check} is met by {answer}, which lures the attacker into a pawn-drop mate."),
    "reverse_check": ("{check}には{answer}の逆王手がある。", "{check} is answered by the counter-check {answer}."),
    "double_check": ("{check}の両王手が急所で、玉は動くほかない。|{check}が両王手の好手で、合駒も取る手も利かない。",
        "{check} is a double check: only the king can move.|With the double check {check} only king moves are left."),
    "double_check_mate": ("最後は{last}の両王手で詰む。", "In the end {last} mates by double check."),
    "discovery": ("{check}と開き王手するのが急所。|{check}がうまく、{square}の{piece}の筋が開く。",
        "{check} gives check by opening the line of the {piece} on {square}.|The discovered check {check} is the "
        "point: it opens the line of the {piece} on {square}."),
    "discovery_mate": ("最後は{last}と開き、{square}の{piece}の王手で詰む。",
        "In the end {last} opens the line of the {piece} on {square} and mates."),
    "big_sacrifice": ("{check}と{piece}を捨てるのが急所。|{check}の捨駒が好手。",
        "{check} gives the {piece} up to the king.|With {check} the {piece} is sacrificed."),
    "big_sacrifice_taken": ("{check}と{piece}を{taker}に取らせるのが急所。"
        "|{check}と{taker}に取らせて{piece}を捨てるのが好手。",
        "{check} gives the {piece} up to the {taker}.|With {check} the {piece} is sacrificed to the {taker}."),
    "smothered_mate": ("最後は{last}までの窒息詰で、玉は味方の駒に囲まれている。",
        "In the end {last} is a smothered mate: the king is shut in by its own pieces."),
    "knight_mate": ("最後は{last}と桂で詰める。", "In the end a knight mates: {last}."),
    "pin": ("詰上りでは{square}の{piece}が{pinner}に縛られて動けない。",
        "At the mate the {piece} on {square} is pinned by the {pinner}."),
    "king_returns": ("玉は元の{square}に戻って詰む。", "The king is mated where it began, on {square}."),
    "sacrifice": ("{check}と捨てるのが急所。|{check}の捨駒が好手。", "The sacrifice {check} is the point."),
}  # fmt: skip
"""The remarks of a comment (`tsume.uses.commenting`); of several sentences, parted by ``|``, each problem gets one."""
