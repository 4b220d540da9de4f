# SPDX-License-Identifier: GPL-3.0-or-later
"""What people paste: hands, turns, solutions and variations as books, blogs and programs write them."""

import random

from tsume.formats.diagram import board_lines
from tsume.formats.symbols import KIND_OF, SHORT_NAME, number_text
from tsume_rules.moves import parse_move
from tsume_rules.position import HAND_KINDS, Hand
from tsume_rules.sfen import parse_sfen

POSITION = parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position
LINE = tuple(map(parse_move, ("G*2b", "1a2b", "G*2c")))
BOARD = "\n".join(board_lines(POSITION)) + "\n"
HAND = "持駒：金二\n"
MOVES = "▲２二金△同玉▲２三金\n"

HANDS = (
    "先手の持駒：金二", "先手の持ち駒：金二", "下手の持駒：金２", "攻方の持駒：金金", "攻め方の持駒：金2枚",
    "詰方の持駒：金二枚", "攻方持駒：金、金", "先手持駒：金×2", "先手の手駒：金2", "持ち駒：金・金",
    "▲先手の持駒：金二", "☗持駒:金二", "▲持駒 金2", "【持駒】金二", "■持駒　金二", "持駒金二", "持ち駒は金二",
    "持駒（先手）：金二", "駒台：金二", "自分の持駒：金２枚", "黒の持駒：金 金", "攻方：金二",
    "先手側の持駒：金二", "持駒=金二", "詰め方の持ちごま：金二", "攻手の持駒：金将2枚", "  持駒 : 金　二",
    "Black in hand: 2G", "in hand: 2G", "Sente's hand: gold x2", "Attacker in hand: 2 golds",
    "Black's pieces in hand: G, G", "持　駒：金金", "もち駒：金と金", "持ち駒……金２", "持駒→金、金",
    "持ち駒／金･金", "持駒は金2枚です。", "（持駒：金二）", "持駒（金二）", "【持ち駒：金金】",
    "持ち駒『金金』", "先手の持駒：金二　後手の持駒：残り全部", "▲持駒 金2 △持駒 残り",
    "持駒：金二／玉方：飛二角二金二銀四桂四香四歩十七", "Black in hand: 2G; White in hand: the rest",
    "＜持駒＞金二", "手持駒：金二", "持駒　金二 のみ", "持駒は、金二", "持駒▶金二", "持駒 => 金、金",
    "持ち駒は「金二」です。", "持ち駒は金将が2枚です。", "持駒：金（２）", "持駒：金(2枚)",
    "Pieces in hand: Gold x2", "In hand (Black): 2G", "hand (sente): gold x 2",
    "Sente (attacker) in hand: 2G", "Mochigoma: G2", "Holds: 2G", "攻方 金二", "▲金二", "☗ 金２枚",
    "持駒：金二\u200b", "G*2 g*2 r*2",
)  # fmt: skip
TURNS = (
    "手番：先手", "手番：攻方", "手番：黒", "手番:▲", "先手番", "先手番です", "手番 先手", "攻方番",
    "手番：先手番", "先手の番", "【手番】先手", "▲先手番", "☗手番", "次の手番：先手", "次：先手", "先番：▲",
    "Black to move", "Turn: black", "手番：先手の番。", "手番 : ▲先手", "手番は先手です", "手番（先手）",
    "手番【先手】", "手番：先手番（攻方）", "手番：先", "手 番：先手", "■先手番", "【先手番】", "先手から",
    "先手番から", "Black's turn", "Sente's move", "Black moves first", "Black to play and mate in 3",
    "Black to mate in 3 moves.",
)  # fmt: skip
SOLUTIONS = (
    "作意：▲２二金△同玉▲２三金", "正解：▲２二金△同玉▲２三金まで3手詰", "手順：22金 同玉 23金",
    "解答：２二金打、同玉、２三金打まで三手詰", "解答：：２二金　打、同　玉、２三金　打まで三手詰",
    "詰み手順：▲２二金△同玉▲２三金 △まで", "正解図：２二金－同玉－２三金", "解:22金打、同玉、23金打",
    "詰手順 ▲２二金 △同玉 ▲２三金", "本手順：▲２二金△同玉▲２三金", "作意手順：▲２二金△同玉▲２三金",
    "解答手順＝22金、同玉、23金", "【作意】22金、同玉、23金迄3手。", "解答\n22金、同玉、23金まで3手詰め",
    "作意：▲２二金 △同玉\n▲２三金", "Solution: G*2b Kx2b G*2c",
    "作意：22金、同玉、23金\n   1 ２二金打\n   2 同　玉(11)\n   3 ２三金打", "22金打、(イ)同玉、23金 迄3手。",
    "２二金　同玉　２三金", "▲２二金 △同玉 ▲２三金", "▲2二金 △2二玉 ▲2三金", "2二金 同玉 2三金",
    "22金 22玉 23金", "22金、同玉、23金、まで3手", "22金同玉23金", "▲２二金→△同玉→▲２三金",
    "☗２二金打☖同　玉☗２三金打まで３手詰み", "２二金打、２二同玉、２三金打　迄三手",
    "▲２二金！ △同玉 ▲２三金", "22金,同王,23金（3手詰）", "22金、同玉、23金にて詰",
    "22金、同玉、23金までの3手詰", "１．２二金　２．同玉　３．２三金",
    "1. ２二金打\n2. 同　玉(11)\n3. ２三金打", "1手目 ２二金打\n2手目 同玉\n3手目 ２三金打 *これで詰み",
    "1: ２二金打\n2: 同　玉(11)\n3: ２三金打", "（1）２二金打\n（2）同玉\n（3）２三金打",
    "①２二金打 ②同玉 ③２三金打", "1) 22金 2) 同玉 3) 23金", "第1手 22金\n第2手 同玉\n第3手 23金",
    "1 22金 2 同玉 3 23金",
    " 1 ２二金打 ( 0:01/00:00:01) ( 0:05)\n 2 同　玉(11)   0:01/00:00:02\n 3 ２三金打 (00:03)\n 4 詰み",
    "１ ２二\u2003金打\n２ 同\u2003玉(11)   3秒\n３ ２三金打(00) [評価値 +31111]\n４ 投了 ( 0:00)",
    "   1   ２二金打+\n   2\t同 玉 (11)\n３　２三金打", "G*2b Kx2b G*2c  mate in 3", "G*2b 1a2b G*2c",
    "1. G*2b 2. Kx2b 3. G*2c mate", "G*22 K11x22 G*23", "▲２二金 △同玉 ▲２三金 △投了",
    "▲２二金 △同玉 ▲２三金\n△詰み", "▲２二金△同玉▲２三金△千日手", "▲２二金 △同玉 ▲２三金 中断",
    "▲２二金 △同玉 ▲２三金まで3手詰\nまで3手で詰", "▲２二金 △同玉 ▲２三金\n以上3手詰",
    "▲２二金 △同玉 ▲２三金  まで3手詰", "▲２二金 △同玉 ▲２三金\n迄3手", "3手詰\n▲２二金 △同玉 ▲２三金",
    "完全作 3手詰: ▲２二金 △同玉 ▲２三金\n  備考: 足りない駒\n    1手目、▲１二金 に代えて ▲２一金",
    "perfect in 3: G*2b Kx2b G*2c\n  note: 36 missing pieces", "mate in 3: G*2b Kx2b G*2c",
    "perfect in 3: ▲２二金 △同玉 ▲２三金  まで3手詰", "22金（打）、同玉、23金（打）",
    "3手詰: ▲２二金 △同玉 ▲２三金", "正解は▲２二金△同玉▲２三金までの三手詰。", "解答は、22金、同玉、23金",
    "詰み筋：▲２二金△同玉▲２三金", "Ans. G*2b Kx2b G*2c", "checkmate G*2b 1a2b G*2c", "pv G*2b 1a2b G*2c",
    "一手目 ２二金\n二手目 同玉\n三手目 ２三金", "・▲２二金\n・△同玉\n・▲２三金", "- 22金\n- 同玉\n- 23金",
    "22金＞同玉＞23金", "「22金、同玉、23金」", "『２二金　同玉　２三金』",
    "▲２二金 △同玉 ▲２三金♪ #詰将棋 #3手詰", "▲２二金 △同玉 ▲２三金　以上",
    "▲２二金 △同玉 ▲２三金 で詰みます", "|1|２二金打|\n|2|同　玉(11)|\n|3|２三金打|",
    "1｜２二金打\n2｜同　玉(11)\n3｜２三金打", "1,２二金打\n2,同　玉(11)\n3,２三金打",
    "1-２二金打\n2-同　玉(11)\n3-２三金打",
    "0 ==開始局面==\n1 ２二金打\n2 同　玉(11)\n3 ２三金打\n4 玉方投了",
    "━━━━━━\n▲２二金 △同玉 ▲２三金\n-----",
)  # fmt: skip
"""Texts after board and hand."""

VARIED = parse_sfen("9/8k/6+S2/6G2/9/9/9/9/9 b - 1").position
VARIED_BOARD = "\n".join(board_lines(VARIED)) + "\n"
VARIED_LINE = tuple(map(parse_move, ("3d2c", "1b1a", "3c2b")))
LABELLED = (
    "23金、(イ)11玉、22成銀まで3手。\n",
    "▲２三金△１一玉(イ)▲２二成銀\n",
    "▲２三金 △１一玉（イ） ▲２二成銀\n",
    "作意：23金イ11玉22全\n",
)
VARIATIONS = (
    "(イ)21玉は22成銀まで", "(イ) 21玉なら22成銀まで3手", "イ 21玉は22成銀まで", "イ、２一玉は２二成銀まで。",
    "（イ）△２一玉▲２二成銀", "(イ)21玉は\n22成銀まで", "変化イ：21玉、22成銀",
    "変化：２手目21玉は22成銀まで", "変化：2手\n   2 ２一玉(12)\n   3 ２二成銀(33)",
    "変化：２手\n２ ２一玉(12)\n３ ２二成銀(33)", "変化: 2手目\n△２一玉 ▲２二成銀", "変化2手目：21玉、22成銀",
    "変化：23金、21玉、22成銀まで3手", "変化：二手\n▲△".replace("▲△", "△２一玉▲２二成銀"),
    "変化：21玉は22成銀まで", "変化：△２一玉には▲２二成銀で詰み", "変化１：２手目△２一玉▲２二成銀",
    "変化：\n2 ２一玉(12)\n3 ２二成銀(33)", "【変化】2手目 21玉 22成銀", "変化（2手目）\n21玉 22成銀",
    "変化１：2手\n   2 ２一玉(12)\n   3 ２二成銀(33)", "[変化] 2手\n   2 ２一玉(12)\n   3 ２二成銀(33)",
    "分岐：2手\n   2 ２一玉(12)\n   3 ２二成銀(33)", "Variation: 2\n   2 ２一玉(12)\n   3 ２二成銀(33)",
)  # fmt: skip
"""Texts after such a line, with the variation 1b2a 3c2b at the second move."""
TRIES = (
    "紛れ：22成銀は13玉で詰まない", "紛れ：▲２二成銀△１三玉で逃れ", "失敗：▲２二成銀 △１三玉",
    "紛れ\n▲２二成銀 △１三玉", "余詰：1手目22成銀、13玉", "失敗例：22成銀、13玉",
)  # fmt: skip
"""Those with the try 3c2b 1b1c at the first."""
NOTES = (
    "(イ)ここで21玉は早い", "(イ)11玉が最長", "余詰：なし", "紛れ：22飛は詰まない", "変化：他の応手は早い",
    "※これは難しい", "解説：22成銀は13玉で逃れる。23金が正解。", "コメント：▲２二成銀△１三玉▲２三金",
    "*作意と変化",
)  # fmt: skip
"""Those without a variation."""

REFUSED = (
    (HAND + "第三者の持駒：金", 14, "whose pieces in hand"),
    ("持駒：金ニ", 13, "in hand"),
    ("持駒数：3", 13, "in hand"),
    ("先手：金二", 13, "a name, or pieces in hand"),
    ("攻方：山田", 13, "in hand"),
    ("攻方：後手", 13, "in hand"),
    ("駒：金二", 13, "unknown header"),
    (HAND + "初手：▲２二金", 14, "moves in an unknown header"),
    ("先手：持駒：金二", 13, "pieces in hand in an unknown header"),
    (HAND + "備考欄：手番：後手", 14, "a turn in an unknown header"),
    (HAND + "次：誰か", 14, "whose turn"),
    ("先手の持駒：残り全部", 13, "rest of the pieces"),
    (HAND + "後手番の持駒：金", 14, "whose pieces in hand"),
    (HAND + "持駒：金", 14, "pieces in hand once more"),
    (MOVES + HAND, 13, "no gold in hand"),
    ("▲１二歩成\n先手の持駒：金", 14, "pieces in hand once more"),
    (HAND + "手番：詰将棋", 14, "whose turn"),
    (HAND + "手番：先手\n後手番", 15, "another turn"),
    (HAND + "手番：先手\n手番：後手", 15, "another turn"),
    (HAND + "作戦：▲２二金△同玉▲２三金", 14, "unknown header"),
    (HAND + "plan: G*2b Kx2b G*2c", 14, "unknown header"),
    (HAND + "22金、同玉、23金まで5手詰", 14, "says 5 moves"),
    (HAND + MOVES + "5手詰", 15, "says 5 moves"),
    (HAND + "5手詰\n" + MOVES, 14, "says 5 moves"),
    (HAND + MOVES + "迄五手", 15, "says 5 moves"),
    (HAND + "▲２二金△同玉▲２三金以下略", 14, "invalid move"),
    (HAND + "▲２二金△同玉…▲２三金", 14, "invalid move"),
    (HAND + "22金、12玉、23金", 14, "no 玉 can go there"),
    (HAND + "22銀、同玉、23金", 14, "no silver"),
    (HAND + "22金、11金", 14, "square is occupied"),
    (HAND + "▲２二金▲同玉", 14, "other side's turn"),
    (HAND + "1. 22金 3. 23金", 14, "move 3 follows move 1"),
    (HAND + "作意：22金、同玉、23金\n正解：22金、同玉、23金", 15, "second main line"),
    (HAND + "作意：22金、12玉\n   1 ２二金打\n   2 同　玉(11)", 14, "another main line"),
    (HAND + "22金、同玉、23金まで3手、21金", 14, "moves after the end"),
    (HAND + MOVES + "変化：2手目21玉、12銀", 15, "no 玉 can go there"),
    (HAND + MOVES + "変化：7手目21玉、12金", 15, "move 7, which does not exist"),
    (HAND + "紛れ：12金\n22金 同玉 23金", 14, "no main line"),
    (HAND + MOVES + "(ロ)11玉は22金", 15, "invalid move"),
    (HAND + MOVES + "(ロ)これは早い", 15, "footnote of no move"),
    (HAND + MOVES + "※12金は21玉", 15, ""),
    (HAND + "解答：22金から考える", 14, "invalid move"),
    (HAND + "次の一手", 14, "cannot parse"),
    ("持駒：金1金x", 13, "in hand"),
    ("Black: 2G", 13, "a name, or pieces in hand"),
    ("Sente: gold x2", 13, "a name, or pieces in hand"),
    ("Mochigoma: kin", 13, "in hand"),
    (HAND + "先攻：後手", 14, "a turn in an unknown header"),
    (HAND + "開始：△", 14, "a turn in an unknown header"),
    (HAND + "Side: white", 14, "a turn in an unknown header"),
    (HAND + "First: gote", 14, "a turn in an unknown header"),
    (HAND + "Black to move and mate in 5\n" + MOVES, 14, "says 5 moves"),
    (HAND + "|1|12銀|", 14, "no silver"),
    (HAND + "| 手 | 指し手 |\n| 1 | 22金 |", 14, "cannot parse"),
    (HAND + "|手番|後手|", 14, "cannot parse"),
    ("|持駒|金二|", 13, "whose pieces in hand"),
    (HAND + "22金、同玉*1、23金\n*1 12玉は23金", 14, "moves after a footnote"),
    (HAND + MOVES + "変化：第2手\n2 21玉", 15, "invalid move"),
    (HAND + MOVES + "分岐：△２一玉▲２二金", 15, ""),
)
"""Texts after the board, each with the line and the reason of its fault."""


def spelt_hand(hand: Hand, rng: random.Random) -> str:
    """A hand in one of its spellings."""
    if rng.random() < 0.2:
        items = [f"{hand[kind]}{kind.name[0] if kind.name != 'KNIGHT' else 'N'}" for kind in HAND_KINDS if hand[kind]]
        return rng.choice(["", ", ", " "]).join(items) or rng.choice(["-", "nothing", "none"])
    full = [name for name in KIND_OF if len(name) == 2 and KIND_OF[name] in HAND_KINDS]
    between, spelt = rng.choice(["", " ", "　", "、", "・", "，", ", "]), []
    for kind in rng.sample(HAND_KINDS, len(HAND_KINDS)):
        number = hand[kind]
        name = rng.choice([SHORT_NAME[kind], *(one for one in full if KIND_OF[one] is kind)])
        figures = rng.choice(
            [str(number), str(number).translate({48 + i: 0xFF10 + i for i in range(10)}), number_text(number)]
        )
        one = name + rng.choice(["", "", "×", " x", " "]) + figures + rng.choice(["", "枚"])
        spelt += [rng.choice([one, name] if number == 1 else [one])] if number else []
    return between.join(spelt) or rng.choice(["なし", "無し", "ナシ", "無", "なし。", "－", ""])
