"""Everything a search works on, handed from kernel to kernel as one `Arena`."""

from collections import namedtuple

import numpy as np
from numba import types

from tsume_rules.kernel.compile import INTEGERS, jit_inline, record, records
from tsume_rules.kernel.state import POSITION_TYPE

SEARCH = np.dtype(
    [
        ("age", np.uint16),  # the number of the present question, to tell old open entries
        ("nodes", np.int64),  # positions searched
        ("expanded", np.int64),  # those of them that df-pn expanded
        ("stored", np.int64),  # table entries written to an empty place
        ("evicted", np.int64),  # table entries overwritten by other boards
        ("peak", np.int64),  # the largest proof number the root has had
        ("top", np.int64),  # first free place among the children
        ("depth", np.int32),  # frames in use
        ("mode", np.int32),  # which interpositions are futile
        ("frontier", np.int32),  # what is searched at a new node: NOTHING, A1, A3, D2
        ("estimate", np.int32),  # the numbers of a new node: ONES, MOVES, PLUS
        ("extension", np.int32),  # how far a child's threshold goes: ONE, TWO, QUARTER
        ("refuted", np.int32),  # the plies within which the root is known to be no mate
        ("checks", np.int32),  # how many checks the last position without a mate in one had
        ("liberties", np.int32),  # and how many cells the king could flee to after any of them
        ("stamp", np.uint16),  # which table entries are ours
        ("epoch", np.uint16),  # which tainted entries are of this question (0: none may be used)
        ("lost_candidates", np.int8),  # whether a repeated position could not be logged
        ("barred", np.int32),  # how many positions the attacker may not reach again
        ("candidates", np.int32),  # repeated positions logged
        ("pn", np.int64),  # the outcome of the last finished node
        ("dn", np.int64),
        ("length", np.int64),
        ("hand", np.int64),
        ("taint", np.int64),  # whether its disproof rests on a repetition
        ("circle", np.int64),  # the frame its disproof rests on, NO_CIRCLE if on none
        ("epochs", np.int8, (1 << 16,)),  # of each epoch: DROPPED or ACCEPTED
    ],
    align=True,
)
DROPPED, ACCEPTED = 0, 1
NOTHING, A1, A3, D2 = 0, 1, 2, 3
"""The fixed-depth search at a new node (Kaneko2005): none; a mate in one when an OR node is
generated; that and a mate in three when it is first visited; a mate in one at OR nodes and
mated in two at AND nodes, both when they are generated."""

FRAME = np.dtype(
    [
        ("key", np.uint64),
        ("slot", np.uint64),
        ("started", np.int64),  # search.nodes when the node was entered
        ("th_pn", np.int64),
        ("th_dn", np.int64),
        ("first", np.int32),  # its children: first, and how many
        ("count", np.int32),
        ("current", np.int32),  # the child being searched
        ("hand", np.int32),  # the attacker's hand
        ("captured", np.int32),  # to undo the current child's move
        ("n", np.int32),  # plies left
        ("attacker", np.int8),  # whether it is an OR node
        ("state", np.int8),  # UNKNOWN, PROVEN, DISPROVEN
        ("taint", np.int8),  # whether a disproof among its children rests on a repetition
        ("length", np.int32),  # of the proof or disproof
        ("proof_hand", np.int32),
        ("disproof_hand", np.int32),
        ("proof_length", np.int32),  # longest proved answer so far (AND)
        ("disproof_length", np.int32),  # shortest disproof so far (OR)
        ("circle", np.int32),  # the lowest frame that a slide came back to; NO_CIRCLE if none
    ],
    align=True,
)
CHILD = np.dtype(
    [
        ("move", np.int32),
        ("pn", np.uint32),
        ("dn", np.uint32),
        ("cap_hand", np.int32),  # the largest hand for which disproving this child tells anything
        ("cap_length", np.int16),  # of a SLIDE: likewise the length
        ("cost", np.int16),  # what its move adds to its proof number
        ("stage", np.int16),  # of a SLIDE: which taker is being tried; of DROPS: which comes next
        ("kind", np.int8),  # MOVE, SLIDE, DROPS or QUIET_DROPS
        ("cell", np.int8),  # where the drops would be
        ("taint", np.int8),  # of a SLIDE: whether a repetition is behind what was disproved
    ],
    align=True,
)
MOVE, SLIDE, DROPS, QUIET_DROPS = 0, 1, 2, 3
"""A child: a move; the test whether the drops on a cell are futile; the drops on a cell, one
after the other, all of them or those that do not check the attacker's king."""

ONES, MOVES, PLUS = 0, 1, 2
"""The proof and disproof number of a new node: both 1 (Nagai2002); its answers or its checks;
H' with the cost of moves (df-pn+, Kaneko2005)."""
ONE, TWO, QUARTER = 0, 1, 2
"""How far a child's number may pass the runner-up's before the search turns to that one: by
one, by the children's average but at most two (p2d2, Kaneko2005), by a quarter and one."""

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("hand", np.int32),
        ("pn", np.uint32),
        ("dn", np.uint32),
        ("work", np.uint32),
        ("length", np.int16),
        ("stamp", np.uint16),
        ("taint", np.uint16),
        ("age", np.uint16),  # the question that wrote it
    ],
    align=True,
)
"""An entry of the transposition table, see `table`."""
BARRED = np.dtype([("key", np.uint64), ("hand", np.int64)])
"""Positions at which the attacker fails: a way back to them is a detour."""
CANDIDATE = np.dtype(
    [
        ("key", np.uint64),
        ("hand", np.int64),
        ("epoch", np.uint16),
        ("codes", np.int8, (81,)),  # the position, as `tsume_rules.kernel.play.set_up` takes it
        ("hands", np.int8, (2, 8)),
    ],
    align=True,
)
"""A repeated position, in a hash table of `CANDIDATES` places."""
CANDIDATES = 1 << 15

NO_CIRCLE = 1 << 30
UNKNOWN, PROVEN, DISPROVEN = 0, 1, 2
RUNNING, FINISHED, OUT_OF_STACK = 0, 1, 2

Arena = namedtuple("Arena", "pos table search frames kids barred candidates handed buf")
"""The position, the transposition table, the search record, the stack of frames and their
children, the barred and the repeated positions (with the places of the latter in the
order in which they were logged), and scratch space for moves."""

ARENA = types.NamedTuple(
    [
        POSITION_TYPE, records(ENTRY), record(SEARCH), records(FRAME), records(CHILD), records(BARRED),
        records(CANDIDATE), INTEGERS, INTEGERS,
    ],
    Arena,
)  # fmt: skip
"""The type of an `Arena`, for units."""
FRAME_TYPE = record(FRAME)

AND_KEY = np.uint64(0x9E3779B97F4A7C15)
MODE_KEY = np.array([0, 0x2545F4914F6CDD1D, 0x632BE59BD9B4E019], dtype=np.uint64)


@jit_inline
def node_key(pos, search, attacker):
    """The table key of a position for a side to move and a reading of interpositions."""
    key = pos.key ^ MODE_KEY[search.mode]
    return key if attacker else key ^ AND_KEY


@jit_inline
def set_outcome(search, pn, dn, length, hand, taint):
    """Leave a node's outcome in the search record."""
    search.pn = pn
    search.dn = dn
    search.length = length
    search.hand = hand
    search.taint = taint


@jit_inline
def is_proven(search):
    """Whether the outcome in the search record is a mate."""
    return search.pn == 0


@jit_inline
def is_disproven(search):
    """Whether the outcome in the search record is no mate."""
    return search.dn == 0


@jit_inline
def is_open(search):
    """Whether the outcome in the search record is neither."""
    return search.pn != 0 and search.dn != 0
