# SPDX-License-Identifier: GPL-3.0-or-later
"""One sentence for each term that verdicts use, for pages that explain them where they appear.

docs/glossary.md has all terms, docs/rules.md the exact definitions.
"""

from __future__ import annotations

from tsume.language import terms

GLOSSARY: dict[str, tuple[str, str]] = {
    **terms.PHRASES,
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
    "ENDING": (
        "収束（最後の数手）だけにある余詰。",
        "A second solution within the last moves only.",
    ),
    "PERFECT": ("余詰などの欠陥もキズもない作品。", "A problem without faults and without blemishes."),
    "SOUND": ("キズはあるが、不完全ではない作品。", "A problem with blemishes but without a fault."),
    "BLEMISH": (
        "作品を不完全とはしない小さな欠点。",
        "A small flaw that mars a problem but leaves it sound.",
    ),
    "UNSOUND": (
        "不詰・余詰・駒余りなどの欠陥がある作品。",
        "A problem with a fault: no mate, a cook, or pieces left over.",
    ),
    "INTENDED_SOLUTION": (
        "作者の意図した手順。指定がなければ最善手順。",
        "The line that the composer means; if none is given, the main line.",
    ),
    "SECOND_SOLUTION": (
        "作意とは別の詰み。",
        "Another way to mate than the intended one.",
    ),
    "VARIATION": (
        "作意とは違う玉方の応手と、その後の手順。",
        "Another answer of the defender than in the main line, and what follows.",
    ),
    "TRY": ("詰みそうで詰まない攻方の手。", "A check that seems to work but does not mate."),
    "INTERPOSITION": (
        "遠くからの王手に対し、王手した駒と玉の間に駒を打つか動かして防ぐこと。",
        "An answer to a check from a distance: a piece is dropped or moved between the checking piece and "
        "the king.",
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
