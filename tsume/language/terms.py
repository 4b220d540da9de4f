"""The terms for defects and remarks, grades, and the sentences of remarks."""

from __future__ import annotations

from solver.results import Remark

PHRASES: dict[str, tuple[str, str]] = {
    "ILLEGAL_START": ("不正な初形", "illegal start"),
    "NO_MATE": ("不詰", "no mate"),
    "WRONG_LENGTH": ("手数違い", "wrong length"),
    "COOK": ("余詰", "cook"),
    "LEFTOVER": ("駒余り", "leftover"),
    "UNDETERMINED_FORM": ("非限定", "undetermined form"),
    "UNNECESSARY_PIECE": ("不要駒", "unnecessary piece"),
    "GREY_INTERPOSITION": ("無駄合", "grey interposition"),
    "MIRROR_KEY": ("左右対称", "mirror key"),
    "LEFTOVER_IN_VARIATION": ("変化駒余り", "leftover in variation"),
    "EQUAL_DEFENCES": ("変同", "equal defences"),
    "LAST_MOVE_ALTERNATIVES": ("最終手余詰", "last move alternatives"),
    "DETOUR": ("迂回手順", "detour"),
    "VARIATION_COOK": ("変化別詰", "variation cook"),
    "STARTS_IN_CHECK": ("初形王手", "start in check"),
}
"""Each defect and remark by its name."""

HEADS: dict[str, tuple[str, str]] = {
    "ILLEGAL_START": ("初形が規則に反しています", "the position is not a legal start"),
    "NO_MATE": ("詰みません", "there is no mate"),
    "WRONG_LENGTH": ("手数が指定と違います", "the length is not the expected one"),
    "COOK": ("ほかの王手でも詰みます", "another check mates too"),
    "LEFTOVER": ("詰上りで持駒が余ります", "pieces are left over"),
    "UNDETERMINED_FORM": ("成・不成や打つ場所が限定されていません", "a move mates in more than one form"),
    "UNNECESSARY_PIECE": ("なくても成り立つ駒があります", "a piece can be removed"),
    "GREY_INTERPOSITION": (
        "どの合駒を無駄合とみなすかで答えが変わります",
        "the answer depends on which interpositions are futile",
    ),
    "MIRROR_KEY": ("初手は左右どちらでも詰みます", "the mirror image of the key mates too"),
}
"""Each defect in a few words."""

GRADES: dict[str, tuple[str, str]] = {
    "perfect": ("完全作", "perfect"),
    "sound": ("キズあり", "sound"),
    "unsound": ("不完全作", "unsound"),
    "unresolved": ("未解決", "unresolved"),
}

BLEMISHES: dict[str, tuple[str, str]] = {
    "FORM": ("成・不成や打つ場所が限定されていない（非限定）", "a move mates in more than one form (非限定)"),
    "MIRROR_KEY": ("初手は左右どちらでも詰む", "the mirror image of the key mates too (左右対称)"),
    "EQUAL_DEFENCES": ("同手数の変化がある（変同）", "another defence lasts as long (変同)"),
    "COOK_IN_EQUAL_DEFENCE": (
        "同手数の変化に余詰がある（変同余詰）",
        "a second solution lies behind such a defence only (変同余詰)",
    ),
    "DETOUR": (
        "遠回りして作意に戻る詰みがある（迂回手順）",
        "another check mates, but only by coming back to the line (迂回手順)",
    ),
    "UNNECESSARY_PIECE": ("なくても成り立つ駒がある（不要駒）", "a piece can be removed (不要駒)"),
    "GREY_INTERPOSITION": (
        "どの合駒を無駄合とみなすかで答えが変わる",
        "the answer depends on which interpositions are futile (無駄合の解釈)",
    ),
    "LEFTOVER_IN_VARIATION": (
        "同手数の変化で駒が余る（同手数駒余り）",
        "a defence as long leaves pieces in hand (同手数駒余り)",
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

_REMARKS = {
    Remark.LEFTOVER_IN_VARIATION: "同手数の変化で駒が余ります（変化駒余り）",
    Remark.EQUAL_DEFENCES: "作意と同手数の変化があります（変同）",
    Remark.LAST_MOVE_ALTERNATIVES: "最終手はほかの手でも詰みます（最終手余詰）",
    Remark.VARIATION_COOK: "変化の中に作意と同手数の別の詰みがあります（変化別詰）",
    Remark.DETOUR: "ほかの王手でも詰みますが、元の局面に戻るだけです（迂回手順）",
    Remark.STARTS_IN_CHECK: "初形で攻方の玉に王手がかかっています（初形王手）",
}
REMARKS = {str(flag.name): (text, flag.texts[0]) for flag, text in _REMARKS.items()}
"""A sentence for each remark."""
