# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions for the tests of the commands, with their answers."""

CORRECT = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
CORRECT_LINE = ["3d2c", "1b1a", "2c2b"]
CORRECT_WHITE = "9/9/9/9/9/2g6/2+s6/K8/9 w 2R2B3G3S4N4L18P 1"
CORRECT_WHITE_LINE = ["7f8g", "9h9i", "8g8h"]
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
SAME_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
"""The bishop may promote at move 1 or not: it is captured at once."""
LOOSE = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
"""The rook may also be dropped farther away (非限定)."""
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"
DROPS = "6lBl/5g1k1/9/7S1/9/9/9/9/9 b GN2rb2g3s3n2l18p 1"
"""Three moves, two of them drops; a silver that may promote gives wrong checks."""
PROMOTES = "1sk6/3L5/1P1G5/1b7/6B2/9/9/9/9 b S2r3g2s4n3l17p 1"
GREY = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
"""Three plies by the narrow reading, five by the purist one, seven if all interpositions count (docs/rules.md)."""
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
FIVE = "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1"
FUTILE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
PAWN_DROP = "7nk/9/7G1/9/9/9/9/9/9 b P 1"
"""The only quick mate is by a dropped pawn, which is forbidden."""
HARD = "l7g/4kp1Sn/1P+R1gs3/3+p+p1s2/B1p+r1P3/L8/+n3NgB+pP/1+p3G1+p1/P1PsP4 b Lnl5p 1"

UNREADABLE = {
    "nonsense": "SFEN needs board",
    "9/9/9/9/9/9/9/9 b - 1": "8 ranks",
    "4k4/9/9/9/9/9/9/9/8 b - 1": "rank 9",
    "4k4/9/9/9/9/9/9/9/9 x - 1": "side to move",
}
"""Texts that are no positions, each with words from the error."""
ILLEGAL = {
    "4k4/9/9/9/9/9/9/9/9 b 19P 1": "19 of pawn",
    "3BBBk2/9/9/9/9/9/9/9/9 b - 1": "3 of bishop",
    "9/9/9/9/9/9/9/9/9 b R 1": "no defender's king",
    "4k4/9/9/4P4/4P4/9/9/9/9 b - 1": "pawn",
    "4k4/4R4/9/9/9/9/9/9/9 b - 1": "in check",
    "4k3N/9/9/9/9/9/9/9/9 b - 1": "cannot move",
}
"""Positions that the rules do not allow, each with words from the fault."""
FAULTY = UNREADABLE | ILLEGAL
"""Positions that are refused."""

MISSED = (
    "startpos moves 2h6h 7c7d 6h2h 8b6b 8g8f 6a5b 2h7h 8a7c 6i5h 3a3b 5g5f 9a9b 1g1f 7c6e 4i4h 6e7g+ 7i6h 7g7h "
    "9g9f 9c9d 9f9e R*6i"
)
"""White misses a mate in one with the 20th move and plays it with the 22nd."""
