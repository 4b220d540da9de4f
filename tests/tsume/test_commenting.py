# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments in one or two sentences: what they say of known problems, and that it is so."""

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from tsume.reports.explanation import comment_text
from tsume.uses.commenting import comment_on_tree
from tsume.uses.trees import BOOKLET, ReplyTreeBuilder
from tsume_rules.moves import parse_move, position_after_all
from tsume_rules.packed import pack
from tsume_rules.sfen import parse_sfen

COMMENTS = {
    # the most natural check, and why the key works instead
    "8n/9/5BR2/7sk/9/6R2/9/9/9 b Pb4g3s3n4l17p 1": (
        "▲１六飛と迫りたくなるが、△１五歩と受けられて詰まない。▲１五歩で２四の銀を動かし、２五の守りを外す。",
        "R-1f suggests itself, but P*1e comes between. P*1e draws the silver away from 2d, where it guards 2e.",
    ),
    # the nearest drop is the most natural check: it is told once
    "1nk6/2s1G4/1pp6/9/9/9/9/9/9 b B2GN2rbg3s2n4l16p 1": (
        "▲９三角は限定打で、８二からでは△同玉で詰まない。",
        "B*9c has to come from so far: from 8b it fails to Kx8b.",
    ),
    # 6c is nearer too, but on another line of the king
    "9/3s5/2S6/1PkS5/r8/3P5/9/9/9 b BGrb3gs4n4l16p 1": (
        "▲８三角は自然に見えるが、△８五玉と逃げられて詰まない。▲９六角は限定打で、８五からでは△同玉で詰まない。",
        "B*8c looks natural, but the king gets away by K-8e. B*9f has to come from so far: from 8e it fails to Kx8e.",
    ),
    # two points where habit finds each key
    "8b/9/9/6Sk1/7N1/5bLs1/9/9/9 b 2R4g2s3n3l18p 1": (
        "5手目▲１三桂成を角に取らせ、１三の逃げ道をふさぐ。3手目▲１四飛で１五の玉を１四に呼び寄せるのが急所。",
        "N-1c+ at move 5 makes the bishop capture on 1c, where it takes a square from its king. "
        "R*1d at move 3 draws the king to 1d; had it stayed on 1e, there would be no mate.",
    ),
    "9/9/6g1n/6S1k/8p/6R2/5B3/7L1/9 b rb3g3s3n3l17p 1": (
        "▲２五銀は△同桂と取られて詰まない。３四の銀が邪魔駒で、▲２三銀不成と捨てて片付ける。",
        "S-2e loses the piece to Nx2e and does not mate. "
        "The attacker's own silver on 3d is in the way, and S-2c= gives it up.",
    ),
    "9/8p/9/6+RSk/5brN1/9/9/9/9 b Pb4g3s3n4l16p 1": (
        "▲１三銀成は自然に見えるが、△１五玉と逃げられて詰まない。"
        "5手目▲２三銀不成と成らないのが急所で、成ると△３四角で詰まない。",
        "S-1c+ looks natural, but the king gets away by K-1e. "
        "S-2c= at move 5 must not promote: promoted, it fails to Bx3d.",
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


def test_a_piece_back_on_its_square_takes_on_the_guarded_one() -> None:
    # the first comment: with the silver still on 2d, 2e+ is met by its capture, and there is no mate
    after = parse_sfen("8n/9/5BR2/7sk/9/6R2/9/9/9 b b4g3s3n4l18p 1").position
    taken = position_after_all(after, map(parse_move, ("4c2e+", "2d2e")))
    assert not DfPnEngine().mates(pack(taken), 3)


def test_no_comment_without_a_mate(builder: ReplyTreeBuilder) -> None:
    position = parse_sfen("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1").position
    assert comment_on_tree(builder.engine, position, builder.build(position)) == []
