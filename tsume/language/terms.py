# SPDX-License-Identifier: GPL-3.0-or-later
"""The terms for defects and grades, their sentences in a few words, and a definition of each."""

from __future__ import annotations

from solver import results

PHRASES: dict[str, tuple[str, str]] = {
    "ILLEGAL_START": ("不正な初形", "illegal start"),
    "NO_MATE": ("不詰", "no mate"),
    "EARLY_MATE": ("早詰", "early mate"),
    "WRONG_LENGTH": ("手数違い", "wrong length"),
    "COOK": ("余詰", "cook"),
    "LEFTOVER": ("駒余り", "leftover"),
    "UNDETERMINED_FORM": ("非限定", "undetermined form"),
    "UNNECESSARY_PIECE": ("不要駒", "unnecessary piece"),
    "GREY_INTERPOSITION": ("無駄合の解釈", "grey interposition"),
    "MIRROR_KEY": ("左右対称", "mirror key"),
    "COOK_IN_EQUAL_DEFENCE": ("変同余詰", "cook in equal defence"),
    "LONGER_WITH_LEFTOVER": ("変長", "longer with leftover"),
    "LEFTOVER_IN_VARIATION": ("同手数駒余り", "leftover in variation"),
    "EQUAL_DEFENCES": ("変同", "equal defences"),
    "LAST_MOVE_ALTERNATIVES": ("最終手余詰", "last move alternatives"),
    "DETOUR": ("迂回手順", "detour"),
    "VARIATION_COOK": ("変化別詰", "variation cook"),
    "STARTS_IN_CHECK": ("初形王手", "start in check"),
    "MERGING": ("合流", "merging"),
    "ORDER": ("手順前後", "change of order"),
    "ENDING": ("収束余詰", "cook in the ending"),
    "SAME_POSITION": ("同一局面", "same position"),
}
"""Each defect by its name."""
_OF_BLEMISHES = {name: PHRASES[str(defect.name)] for name, defect in results.BLEMISHES.items()}
TERMS = {name: term for name, (term, _) in (PHRASES | _OF_BLEMISHES).items()}
"""The Japanese term for each defect, and for each blemish by the name stored and shown."""

HEADS: dict[str, tuple[str, str]] = {
    "ILLEGAL_START": ("初形が規則に反しています", "the starting position is illegal"),
    "NO_MATE": ("詰みません", "there is no mate"),
    "WRONG_LENGTH": ("手数が指定と違います", "the length differs from the expected one"),
    "COOK": ("ほかの王手でも詰みます", "another check mates too"),
    "LEFTOVER": ("詰上りで持駒が余ります", "pieces are left over"),
    "UNDETERMINED_FORM": ("成・不成や打つ升・動く升が限定されていません", "a move mates in more than one form"),
    "UNNECESSARY_PIECE": ("なくても成り立つ駒があります", "a piece can be removed"),
    "GREY_INTERPOSITION": (
        "どの合駒を無駄合とみなすかで答えが変わります",
        "the answer depends on which interpositions are futile",
    ),
    "MIRROR_KEY": ("初手は左右どちらでも詰みます", "the mirror image of the key mates too"),
}
"""Each defect in a few words."""

CLASSES: dict[str, tuple[str, str]] = {
    "detour": ("迂回手順", "detour"),
    "merging": ("合流", "merging"),
    "order": ("手順前後", "change of order"),
    "same_position": ("同一局面", "same position"),
    "form": ("非限定", "undetermined form"),
    "ending": ("収束余詰", "cook in the ending"),
    "leftover": ("駒余り", "cook that leaves pieces"),
    "true": ("余詰", "cook"),
}
"""Each class of second solutions."""
ONE_OF_CLASS: dict[str, tuple[str, str]] = {
    "detour": ("迂回手順", "a detour"),
    "merging": ("合流", "a merging"),
    "order": ("手順前後", "a change of order"),
    "form": ("非限定", "an undetermined form"),
    "ending": ("収束余詰", "a cook in the ending"),
    "equal_defence": ("変同余詰", "a cook behind an equal defence"),
}
"""One second solution of a class, and one that only an equally long defence keeps from being a fault."""
SOME_OF_CLASS: dict[str, tuple[str, str]] = {
    "detour": ("迂回手順", "detours"),
    "merging": ("合流", "mergings"),
    "order": ("手順前後", "changes of order"),
    "form": ("非限定", "undetermined forms"),
    "ending": ("収束余詰", "cooks in the ending"),
    "equal_defence": ("変同余詰", "cooks behind equal defences"),
}
"""Several of them."""

DIFFICULTY: dict[str, tuple[str, str]] = {
    "in_length": ("{length}手詰としては{rank}", "{rank} for a mate in {length}"),
    # one scale for all lengths
    "stars_1": ("入門", "beginner"),
    "stars_2": ("初級", "elementary"),
    "stars_3": ("中級", "intermediate"),
    "stars_4": ("上級", "advanced"),
    "stars_5": ("達人", "expert"),
    # among the problems of a length
    "fifth_1": ("とても易しい", "very easy"),
    "fifth_2": ("易しい", "easy"),
    "fifth_3": ("普通", "average"),
    "fifth_4": ("難しい", "hard"),
    "fifth_5": ("とても難しい", "very hard"),
}
"""How hard a problem is (`solver.results`)."""

GRADES: dict[str, tuple[str, str]] = {
    "perfect": ("完全作", "perfect"),
    "sound": ("キズあり", "sound"),
    "unsound": ("不完全作", "unsound"),
    "unresolved": ("未解決", "unresolved"),
}

BLEMISHES: dict[str, tuple[str, str]] = {
    "FORM": ("成・不成や打つ升・動く升が限定されていない（非限定）", "a move mates in more than one form (非限定)"),
    "MIRROR_KEY": ("初手は左右どちらでも詰む", "the mirror image of the key mates too (左右対称)"),
    "EQUAL_DEFENCES": ("同手数の変化がある（変同）", "another defence lasts as long (変同)"),
    "COOK_IN_EQUAL_DEFENCE": (
        "同手数の変化に余詰がある（変同余詰）",
        "a second solution follows only a defence of the same length (変同余詰)",
    ),
    "DETOUR": (
        "遠回りして作意に戻る詰みがある（迂回手順）",
        "another check mates, but only by returning to the line (迂回手順)",
    ),
    "MERGING": (
        "作意を外れても作意に合流するだけの詰みがある（合流）",
        "another check mates, but only by joining the line at a later move (合流)",
    ),
    "ORDER": (
        "作意の手順を入れ替えても詰む（手順前後）",
        "moves of the line can be played in another order (手順前後)",
    ),
    "ENDING": ("収束に余詰がある（収束余詰）", "there is a second solution in the last moves (収束余詰)"),
    "UNNECESSARY_PIECE": ("なくても成り立つ駒がある（不要駒）", "a piece can be removed (不要駒)"),
    "GREY_INTERPOSITION": (
        "どの合駒を無駄合とみなすかで答えが変わる",
        "the answer depends on which interpositions are futile (無駄合の解釈)",
    ),
    "LEFTOVER_IN_VARIATION": (
        "同手数の変化で駒が余る（同手数駒余り）",
        "a defence of the same length leaves pieces in hand (同手数駒余り)",
    ),
    "LONGER_WITH_LEFTOVER": (
        "2手長く駒の余る変化がある（変長）",
        "a defence two moves longer leaves pieces in hand (変長)",
    ),
    "STARTS_IN_CHECK": (
        "初形で攻方の玉に王手がかかっている（初形王手）",
        "the attacker's king is in check at the start (初形王手)",
    ),
}
"""Each blemish in a few words."""

REMARKS: dict[str, tuple[str, str]] = {
    "LEFTOVER_IN_VARIATION": ("同手数の変化で駒が余ります（同手数駒余り）", "a defence as long leaves pieces in hand"),
    "EQUAL_DEFENCES": ("作意と同手数の変化があります（変同）", "the defender has more than one longest defence (変同)"),
    "LAST_MOVE_ALTERNATIVES": (
        "最終手はほかの手でも詰みます（最終手余詰）",
        "the last move has alternatives (最終手余詰)",
    ),
    "DETOUR": (
        "ほかの王手でも詰みますが、元の局面に戻るだけです（迂回手順）",
        "another check mates, but only by coming back to the main line (迂回手順)",
    ),
    "VARIATION_COOK": (
        "変化の中に作意と同手数の別の詰みがあります（変化別詰）",
        "in a variation another check mates as late as the main line (変化別詰)",
    ),
    "STARTS_IN_CHECK": (
        "初形で攻方の玉に王手がかかっています（初形王手）",
        "the attacker's king is in check at the start (初形王手)",
    ),
    "SAME_POSITION": (
        "成っても成らなくてもすぐ取られ、同じ局面になる手があります（同一局面）",
        "a move may promote or not: the piece is captured at once and the position is the same (同一局面)",
    ),
}
"""A sentence for each remark; the English ones stand in JSON."""


def remark_texts(remarks: results.Defect) -> list[str]:
    """Return the sentence for each remark, in English."""
    return [REMARKS[name][1] for name in remarks.names]


# --- one sentence for each term that verdicts use, for pages that explain them where they appear ---
#
# docs/glossary.md has all terms, docs/rules.md the exact definitions.

GLOSSARY: dict[str, tuple[str, str]] = {
    **PHRASES,
    "PERFECT": ("完全作", "perfect"),
    "SOUND": ("キズあり", "sound"),
    "BLEMISH": ("キズ", "blemish"),
    "UNSOUND": ("不完全作", "unsound"),
    "INTENDED_SOLUTION": ("作意", "intended solution"),
    "SECOND_SOLUTION": ("別詰", "second solution"),
    "VARIATION": ("変化", "variation"),
    "TRY": ("紛れ", "try"),
    "INTERPOSITION": ("合駒", "interposition"),
    "FUTILE_INTERPOSITION": ("無駄合", "futile interposition"),
    "RESTORING_INTERPOSITION": ("復元型無駄合", "restoring interposition"),
    "NARROW": ("狭義", "narrow"),
    "PURIST": ("厳格", "purist"),
    "WIDE": ("広義", "wide"),
}
"""The terms that are explained: all defects, and what else verdicts speak of."""

DEFINITIONS: dict[str, tuple[str, str]] = {
    "ILLEGAL_START": (
        "二歩や行き所のない駒など、将棋の規則に反する初形。",
        "A starting position that the rules forbid, such as two pawns of one side on a file.",
    ),
    "NO_MATE": ("攻方がどう王手を続けても詰まないこと。", "No sequence of checks mates."),
    "EARLY_MATE": ("指定した手数より短く詰むこと。", "There is a mate in fewer moves than stated."),
    "WRONG_LENGTH": ("詰みの手数が指定と違うこと。", "The mate takes another number of moves than stated."),
    "COOK": (
        "作意のほかに詰む手順があること。攻方の手が一つに決まらず、不完全作となる。",
        "A second solution: the attacker can also mate in a way that is not intended, which is a fault.",
    ),
    "LEFTOVER": (
        "詰上りで攻方の持駒が余ること。作意で余れば不完全作となる。",
        "Pieces are left in the attacker's hand at mate; in the main line this is a fault.",
    ),
    "UNDETERMINED_FORM": (
        "どちらでも同じに詰む手があること。成・不成（成っても成らなくても詰む）、打場所（駒をほかの升に打っても"
        "詰む）、移動（飛角香や竜馬がほかの升まで動いても詰む）の非限定がある。",
        "A move that mates in more than one form. Promotion (成・不成): it may promote or not. "
        "Drop (打場所): the piece may be dropped on another square. "
        "Distance (移動): a long-range piece may move nearer or farther.",
    ),
    "UNNECESSARY_PIECE": (
        "取り除いても作品が成り立つ駒。",
        "A piece that can be removed without changing the problem.",
    ),
    "GREY_INTERPOSITION": (
        "どの合駒を無駄合とみなすかで、手数や作意が変わること。",
        "Length or solution depend on which interpositions count as futile.",
    ),
    "MIRROR_KEY": (
        "初形が左右対称で、初手が左右どちらでも詰むこと。",
        "The position is symmetrical, and the mirror image of the first move mates too.",
    ),
    "COOK_IN_EQUAL_DEFENCE": (
        "作意と同手数の変化（変同）の中だけにある余詰。",
        "A second solution that exists only after a defence as long as the main line.",
    ),
    "LONGER_WITH_LEFTOVER": (
        "作意より2手長いが、攻方の持駒が余る変化。",
        "A defence two moves longer than the given line that leaves pieces in the attacker's hand.",
    ),
    "LEFTOVER_IN_VARIATION": (
        "作意と同手数の変化で、攻方の持駒が余ること。",
        "A defence as long as the main line leaves pieces in the attacker's hand.",
    ),
    "EQUAL_DEFENCES": (
        "作意と同じ手数の別の変化があること。玉方の応手が一つに決まらない。",
        "Another defence lasts as long as the main line, so the defender's answer is not unique.",
    ),
    "LAST_MOVE_ALTERNATIVES": (
        "最終手がほかの手でも詰むこと。ふつうは欠点とされない。",
        "The last move has alternatives that mate too; this is usually not held against a problem.",
    ),
    "DETOUR": (
        "ほかの王手から詰むが、作意の局面に戻るだけの手順。",
        "Another check mates, but only by returning to a position of the main line.",
    ),
    "VARIATION_COOK": (
        "作意より短い変化の中にある、作意と同手数の別の詰み。",
        "Another mate within a shorter variation that is as long as the main line.",
    ),
    "STARTS_IN_CHECK": (
        "初形で攻方の玉に王手がかかっていること。",
        "The attacker's own king is in check at the start.",
    ),
    "MERGING": (
        "作意を外れた後、作意のその先の局面に合流するだけの詰み。作意より遅れて合流するか、作意にない手を通る。",
        "A second solution that only joins the main line further on: later than the main line gets there, or "
        "by moves that are not those of the line.",
    ),
    "ORDER": (
        "作意の攻方の手を別の順序で指して、同じ手数で同じ局面になること。",
        "The attacker's moves of the main line, played in another order, lead to the same position in the "
        "same number of moves.",
    ),
    "SAME_POSITION": (
        "成っても成らなくても、その駒がすぐに取られて同じ局面になること。キズとはされない。",
        "It makes no difference whether a piece promotes, as it is captured at once and the position is the "
        "same; this is not held against a problem.",
    ),
    "ENDING": ("収束（最後の数手）だけにある余詰。", "A second solution within the last moves only."),
    "PERFECT": ("余詰などの欠陥もキズもない作品。", "A problem without faults and without blemishes."),
    "SOUND": ("キズはあるが、不完全ではない作品。", "A problem with blemishes but without a fault."),
    "BLEMISH": ("作品を不完全とはしない小さな欠点。", "A small flaw that mars a problem but leaves it sound."),
    "UNSOUND": (
        "不詰・余詰・駒余りなどの欠陥がある作品。",
        "A problem with a fault: no mate, a cook, or pieces left over.",
    ),
    "INTENDED_SOLUTION": (
        "作者の意図した手順。指定がなければ最善手順。",
        "The line that the composer means; if none is given, the main line.",
    ),
    "SECOND_SOLUTION": ("作意とは別の詰み。", "Another way to mate than the intended one."),
    "VARIATION": (
        "作意とは違う玉方の応手と、その後の手順。",
        "Another answer of the defender than in the main line, and what follows.",
    ),
    "TRY": ("詰みそうで詰まない攻方の手。", "A check that seems to work but does not mate."),
    "INTERPOSITION": (
        "遠くからの王手に対し、王手した駒と玉の間に駒を打つか動かして防ぐこと。",
        "An answer to a check from a distance: a piece is dropped or moved between the checking piece and the king.",
    ),
    "FUTILE_INTERPOSITION": (
        "取られるだけで手順が変わらない合駒。手数に数えない。",
        "An interposition that is just captured and changes nothing; it does not count as a move.",
    ),
    "RESTORING_INTERPOSITION": (
        "取れば元の局面に戻せるだけの合駒。",
        "A drop after whose capture the attacker brings back the same position.",
    ),
    "NARROW": (
        "王手した駒で取って手順が変わらない合駒だけを無駄合とする解釈。手数はこの解釈による。",
        "The reading by which a futile interposition is captured by the checking piece; lengths follow it.",
    ),
    "PURIST": (
        "取った後の詰みがほかの応手より遅れない合駒だけを無駄合とする、最も厳しい解釈。",
        "The strictest reading: an interposition is futile only if it mates no later than other answers.",
    ),
    "WIDE": (
        "攻方のどの駒で取っても手順が変わらない合駒を無駄合とする解釈。",
        "The reading by which any piece of the attacker may capture a futile interposition.",
    ),
}
"""What each of these terms means."""

THEME_WORDS: dict[str, tuple[str, str]] = {
    "focal-sacrifice": ("二枚の利きに捨てる", "where two pieces can take"),
    "pawn-drop-avoidance": ("成らずに打歩詰を避ける", "by not promoting"),
    "distant-drop": ("打つ升が一つだけ", "no other square will do"),
    "obstruction-removal": ("邪魔な駒を捨てる", "one's own piece is in the way"),
    "switchback": ("元の升に戻る", "a piece returns"),
    "knight-mate": ("桂で詰む", "the last move is a knight’s"),
    "smothered-mate": ("逃げ場のない玉が桂で詰む", "no square to flee to"),
    "chuai": ("離れた升での合駒", "on an unguarded square"),
    "given-interposition": ("取られるだけの合駒", "only to be taken"),
    "decoy": ("守りの駒をおびき出す", "a guard is lured away"),
    "block": ("逃げ道をふさがせる", "by its own piece"),
    "reverse-check": ("王手を王手で返す", "answering check with check"),
    "king-hunt": ("玉を追い回す", "chased across the board"),
    "repeated-motif": ("同じ手順の繰り返し", "the same round over and over"),
    "king-returns": ("元の位置で詰む", "mated where it began"),
    "pin-mate": ("守りの駒が動けない", "a pinned guard"),
    "clean-finish": ("詰上りの攻方は二枚以下", "two pieces mate"),
    "picture": ("詰上りが字になる", "the mate draws a character"),
    "double-king": ("攻方にも玉がある", "the attacker has one too"),
    "lone-king": ("玉方は玉だけ", "no other defender"),
    "empty-attack": ("攻方は持駒だけ", "only pieces in hand"),
    "small-pieces": ("飛・角がない", "no rook or bishop"),
    "big-pieces": ("飛・角だけ", "only rooks and bishops"),
}
"""Themes whose names do not say it, in plain words."""
