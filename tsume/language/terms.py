# SPDX-License-Identifier: GPL-3.0-or-later
"""The terms for defects and grades, and the sentences that say a defect in a few words."""

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
    "UNDETERMINED_FORM": (
        "成・不成や打つ升・動く升が限定されていません",
        "a move mates in more than one form",
    ),
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

GRADES: dict[str, tuple[str, str]] = {
    "perfect": ("完全作", "perfect"),
    "sound": ("キズあり", "sound"),
    "unsound": ("不完全作", "unsound"),
    "unresolved": ("未解決", "unresolved"),
}

BLEMISHES: dict[str, tuple[str, str]] = {
    "FORM": (
        "成・不成や打つ升・動く升が限定されていない（非限定）",
        "a move mates in more than one form (非限定)",
    ),
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
    "LEFTOVER_IN_VARIATION": (
        "同手数の変化で駒が余ります（同手数駒余り）",
        "a defence as long leaves pieces in hand",
    ),
    "EQUAL_DEFENCES": (
        "作意と同手数の変化があります（変同）",
        "the defender has more than one longest defence (変同)",
    ),
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
    """The sentence for each remark, in English."""
    return [REMARKS[name][1] for name in remarks.names]
