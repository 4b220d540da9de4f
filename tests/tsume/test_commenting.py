# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments in one or two sentences: what they say of known problems, and that it is so."""

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from tests.tsume.conftest import Run, answer
from tests.tsume.problems import COOKED
from tsume.reports.explanation import comment_text
from tsume.uses.commenting import comment_on_tree
from tsume.uses.trees import BOOKLET, SITE, ReplyTreeBuilder
from tsume_rules.moves import parse_move, position_after_all
from tsume_rules.packed import pack
from tsume_rules.sfen import parse_sfen

COMMENTS = {
    # the move that comes too early fails to just what the point prevents
    "8n/9/5BR2/7sk/9/6R2/9/9/9 b Pb4g3s3n4l17p 1": (
        "▲２五角成では早すぎ、△同銀で逃れる。▲１五歩が好手で、２四の銀を動かして２五への利きを外す。",
        "B-2e+ would be premature because of Sx2e. P*1e draws the silver away from 2d, where it guards 2e.",
    ),
    # the last move last, without its number
    "9/9/6g1n/6S1k/8p/6R2/5B3/7L1/9 b rb3g3s3n3l17p 1": (
        "▲２三銀不成が好手。邪魔な３四の銀を捨てる。最後は▲３四飛の両王手で詰む。",
        "The attacker's own silver on 3d is in the way, and S-2c= gives it up. In the end R-3d mates by double check.",
    ),
    # the piece opens the dragon's line to the flight
    "1l7/1p+R6/k1+B6/9/b8/1N7/9/9/9 b Nr4g4s2n3l17p 1": (
        "▲８五桂は△９二玉があるのでまだ指せない。"
        "▲８三馬と捨てて８二の歩をどかすのが急所で、７二の龍が９二に利いてくる。",
        "N*8e has to wait: now it fails to K-9b. "
        "The point is +B-8c: once the pawn has left 8b, the dragon on 7b guards 9b.",
    ),
    # on its first square the rook would make the drop a pawn-drop mate, though it is not in the way
    "6+Bnk/9/8G/7r1/6N2/9/9/9/9 b Prb3g4s2n4l17p 1": (
        "▲２二馬が打歩詰を避ける好手で、２四の飛を動かして▲１二歩を打てるようにする。"
        "3手目▲１二歩と捨てて２二の飛をつり出し、２三への利きを外すのが急所。",
        "+B-2b draws the rook away from 2d: had it stayed there, P*1b would be a forbidden pawn-drop mate. "
        "The point is P*1b at move 3: it lures the rook off 2b, where it guards 2c.",
    ),
    # the forbidden drop after the promotion is told once
    "8k/7R1/6B2/9/2B3r2/9/9/9/9 b P4g4s4n4l17p 1": (
        "▲３二飛不成が打歩詰を避ける妙手で、成ると▲１二歩が打歩詰になる。",
        "R-3b= avoids a pawn-drop mate: after the promotion P*1b would be one.",
    ),
    # nearer, it could not promote
    "2s6/9/9/7R1/9/9/7pk/9/7G1 b Brb3g3s4n4l17p 1": (
        "▲２六角は△１六玉で届かない。▲５三角と敵陣に打つのが急所で、４四からでは成れず△１六玉で詰まない。",
        "B*2f lets the king go: K-1f. "
        "B*5c is dropped so far away to promote later: from 4d, outside the zone, it fails to K-1f.",
    ),
    # the promotion of 5d would be no check, so that it is no merit to decline it
    "9/9/3+BsS3/9/3kb4/9/3G5/2N6/9 b Rr3g2s3n4l18p 1": (
        "▲５四銀不成と捨てて５三の銀をつり出し、６四への利きを外すのが急所。"
        "3手目▲６四飛と角に取らせて飛を捨てるのが好手。",
        "The point is S-5d=: it lures the silver off 5c, where it guards 6d. "
        "R*6d at move 3 gives the rook up to the bishop.",
    ),
    # the gold could come between too, but would be captured with mate: that it guards the square counts
    "6nnl/5g2k/6PPp/4r1+R+B1/9/9/9/9/9 b BP3g4s2n3l14p 1": (
        "２三の歩が邪魔駒で、▲２二歩成と捨てて消すのが急所。11手目▲２四桂が好手で、２三の金を動かして２二への利きを外す。",
        "The attacker's own pawn on 2c is in the way, and P-2b+ gives it up. "
        "The point is N*2d at move 11: it lures the gold off 2c, where it guards 2b.",
    ),
    # the number of a move is given once
    "1k2S4/3R5/+b1gN5/9/9/9/9/9/9 b BGr2g3s3n4l18p 1": (
        "3手目▲８二金は△同馬で詰まない。▲８二角を馬に取らせ、８二への逃げ道をふさいでおく。",
        "G*8b at move 3 fails to +Bx8b. B*8b makes the horse capture on 8b, where it will be in its king's way.",
    ),
}


@pytest.fixture(scope="module")
def builder() -> ReplyTreeBuilder:
    return ReplyTreeBuilder(BOOKLET)


@pytest.mark.parametrize("sfen", COMMENTS)
def test_comments(builder: ReplyTreeBuilder, sfen: str) -> None:
    position = parse_sfen(sfen).position
    remarks = comment_on_tree(builder.engine, position, builder.build(position))
    japanese, english = COMMENTS[sfen]
    assert comment_text(remarks, position, "ja") == japanese
    assert comment_text(remarks, position, "en") == english


def test_the_forbidden_drop_of_a_try_may_be_where_the_king_was() -> None:
    position, builder = parse_sfen("9/1GR6/3g5/ks7/1p7/S1b6/9/9/9 b SNPrb2gs3n4l16p 1").position, ReplyTreeBuilder(SITE)
    remarks = comment_on_tree(builder.engine, position, builder.build(position))
    assert comment_text(remarks, position, "ja").startswith("▲８三銀は△９三玉のとき▲９四歩が打歩詰になる。")


def test_a_piece_back_on_its_square_takes_on_the_guarded_one() -> None:
    # the first comment: with the silver still on 2d, 2e+ is met by its capture, and there is no mate
    after = parse_sfen("8n/9/5BR2/7sk/9/6R2/9/9/9 b b4g3s3n4l18p 1").position
    taken = position_after_all(after, map(parse_move, ("4c2e+", "2d2e")))
    assert not DfPnEngine().mates(pack(taken), 3)


def test_no_comment_without_a_mate(builder: ReplyTreeBuilder) -> None:
    position = parse_sfen("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1").position
    assert comment_on_tree(builder.engine, position, builder.build(position)) == []


def test_explain_prints_the_comment_after_the_verdict(tsume: Run) -> None:
    sfen, (japanese, english) = next(iter(COMMENTS.items()))
    lines = tsume("explain", sfen, "--lang=both").stdout.splitlines()
    assert lines[2] == f"解説: {japanese}"
    assert f"Comment: {english}" in lines
    assert answer(tsume, "explain", sfen, "--lang=both")["comment"] == {"ja": japanese, "en": english}
    assert answer(tsume, "explain", COOKED)["comment"] == {"ja": ""}
