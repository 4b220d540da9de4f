# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of a search, passed between kernels as one `Arena`."""

import numpy as np

from tsume_rules.kernel.compile import (
    INTEGERS,
    Tuple,
    boolean,
    export_inline,
    jit_inline,
    named_tuple,
    record,
    struct,
    structs,
    uint64,
    void,
)
from tsume_rules.kernel.tables import POSITION_TYPE

PATH = 1 << 13
"""Places where OR nodes on the path are counted, so that most boards are seen not to be there."""
LINK_BITS = 16
LINKS = 1 << LINK_BITS
"""Links of heads (`repetition`); 0 is none."""
LINK_PENDING, LINK_SETTLED, LINK_ASLEEP = 1, 2, 3
"""States of a link: its head is on the path; it was disproved; it was left undecided."""

SEARCH = record(
    [
        ("age", np.uint16),  # the number of the question, by which old open entries are recognised
        ("nodes", np.int64),  # positions searched
        ("expanded", np.int64),  # of these, expanded by df-pn
        ("members", np.int64),  # searches that share the table (`sharing`); fewer than 2: this one alone
        ("member", np.int64),  # the number of this one, from 0
        ("stored", np.int64),  # table entries written to an empty place
        ("evicted", np.int64),  # table entries overwritten by other boards
        ("peak", np.int64),  # the largest proof number of the root
        ("top", np.int64),  # first free place among the children
        ("depth", np.int32),  # frames in use
        ("mode", np.int32),  # which interpositions are futile: NARROW, COUNT_ALL, WIDE
        ("frontier", np.int32),  # fixed-depth search at a new node: NOTHING to A3_FEW
        ("estimate", np.int32),  # initial numbers of a new node: ONES to FLIGHTS
        ("leaves", np.int32),  # the checks of the last three plies: TIGHTEST, LIKELIEST
        ("extension", np.int32),  # of a child's threshold: ONE, TWO, QUARTER, CHECKS_TWICE
        ("loops", np.int32),  # what is done against going round in circles: TIES, TCA
        ("met", np.int32),  # the least depth of the open entry found last; 0: none
        ("borrowed_pn", np.int64),  # the largest proof number seen last with a hand that includes the one looked for
        ("borrowed_dn", np.int64),  # the largest disproof number with a hand that it includes
        ("raised", np.int32),  # how many nodes on the path ask for a new leaf (TCA)
        ("sums", np.int32),  # over which children numbers are added: ALL, MIXED
        ("refuted", np.int32),  # plies within which the root is known to have no mate
        ("checks", np.int32),  # of the last position without a mate in one: the number of checks
        ("liberties", np.int32),  # and the fewest cells to which any of them lets the king flee
        ("stamp", np.uint16),  # table entries with another stamp are empty
        ("epoch", np.uint16),  # the question's number, which its tainted entries carry
        ("lost_candidates", np.int8),  # whether a repeated position could not be logged
        ("barred", np.int32),  # number of positions whose outcome is set (`BARRED`)
        ("weaker", np.int32),  # whether a position is barred with a smaller hand too
        ("salt", np.uint64),  # part of the keys: what holds with some positions set holds with these only
        ("spared", np.int32),  # size of the table of drops that are left out (`sparing`); 0: none is
        ("candidates", np.int32),  # number of repeated positions logged
        ("pn", np.int64),  # the outcome of the last finished node
        ("dn", np.int64),
        ("length", np.int64),
        ("hand", np.int64),
        ("taint", np.int64),  # whether its disproof rests on a repetition; TCA: the last frame it rests on
        ("least", np.int64),  # TCA: the first frame that its disproof rests on
        ("link", np.int64),  # TCA: what the table keeps of both
        ("last_link", np.int32),  # the link given out last
        ("link_state", np.int8, (LINKS,)),
        ("link_frame", np.int16, (LINKS,)),  # the number of its head's frame, from 1
        ("link_uses", np.uint16, (LINKS,)),  # how often it was given out
        ("link_path", np.uint64, (LINKS,)),  # asleep: the way to its head
        ("links_by_path", np.int32, (LINKS,)),  # the link that was put to sleep last with such a way
        ("link_up", np.int64, (LINKS,)),  # left: the link of the last head above (`repetition.link_with_use`)
        ("link_exact", np.int64, (LINKS,)),  # settled: that of the last frame on which the disproof rests
        ("link_least", np.int16, (LINKS,)),  # and the first of these frames
        ("circle", np.int64),  # the frame that its disproof rests on; NO_CIRCLE: none
        ("path", np.int16, (PATH,)),  # OR nodes on the path of an unbounded search, by their boards
        ("epochs", np.int8, (1 << 16,)),  # of each epoch: DROPPED or ACCEPTED
    ]
)
DROPPED, ACCEPTED = 0, 1
NOTHING, A1, A3, D2, A3_FEW = 0, 1, 2, 3, 4
"""The fixed-depth search at a new node (Kaneko2005), see `solver.engines.dfpn.methods.Frontier`."""

FRAME = record(
    [
        ("key", np.uint64),
        ("slot", np.uint64),
        ("path", np.uint64),  # a hash of the nodes from the root to here
        ("started", np.int64),  # search.nodes when the node was entered
        ("th_pn", np.int64),
        ("th_dn", np.int64),
        ("first", np.int32),  # the index of its first child
        ("count", np.int32),
        ("current", np.int32),  # the child being searched
        ("hand", np.int32),  # the attacker's hand
        ("captured", np.int32),  # the piece that the current child's move captured
        ("n", np.int32),  # plies left
        ("attacker", np.int8),  # whether it is an OR node
        ("state", np.int8),  # UNKNOWN, PROVEN, DISPROVEN, LEFT (its numbers stand in th_pn and th_dn)
        ("taint", np.int32),  # whether a child's disproof rests on a repetition
        ("least", np.int32),  # TCA: the first frame that its disproof rests on so far, `taint` the last
        ("link", np.int32),  # TCA: the link of a frame to which a path returned; 0: none
        ("raised", np.int32),  # of the search, when the node was entered
        ("length", np.int32),  # of the proof or disproof
        ("proof_hand", np.int32),
        ("disproof_hand", np.int32),
        ("proof_length", np.int32),  # of the longest proved answer so far (AND)
        ("disproof_length", np.int32),  # of the shortest disproof so far (OR)
        ("circle", np.int32),  # the lowest frame to which a slide returned; NO_CIRCLE: none
    ]
)
CHILD = record(
    [
        ("move", np.int32),
        ("pn", np.uint32),
        ("dn", np.uint32),
        ("cap_hand", np.int32),  # the largest hand for which a disproof of this child holds
        ("cap_length", np.int16),  # of a SLIDE: likewise the most plies
        ("cost", np.int16),  # what its move adds to its proof number
        ("stage", np.int16),  # of a SLIDE: the taker being tried; of drops: the next one
        ("kind", np.int8),  # MOVE, SLIDE, DROPS or QUIET_DROPS
        ("cell", np.int8),  # of a SLIDE and of drops: where the drops would be
        ("least", np.int16),  # of a SLIDE, as of a frame
        ("taint", np.int16),  # of a SLIDE: whether a disproof so far rests on a repetition
        ("seen", np.int8),  # NEW, SEEN, OLD
    ]
)
MOVE, SLIDE, DROPS, QUIET_DROPS = 0, 1, 2, 3
"""Kinds of children: a move; the test whether the drops on a cell are futile; the drops on a cell,
one after the other: all of them, or those that do not check the attacker's king."""

ONES, MOVES, PLUS, QUIET_TWICE, ANSWERS_THRICE, FLIGHTS = 0, 1, 2, 3, 4, 5
"""The initial numbers of a new node, see `solver.engines.dfpn.methods.Estimate`."""
TIGHTEST, LIKELIEST = 0, 1
"""How the checks of the last three plies are searched, see `solver.engines.dfpn.methods.Leaves`."""
ONE, TWO, QUARTER, CHECKS_TWICE = 0, 1, 2, 3
"""How far the search stays with a child, see `solver.engines.dfpn.methods.Extension`."""

NEW, SEEN, OLD = 0, 1, 2
"""Whether a child was searched before; if so, only deeper than its parent, or not so deep (TCA)."""
TIES, TCA = 0, 1
"""What is done about repetition, see `solver.engines.dfpn.methods.Loops`."""
ALL, MIXED = 0, 1
"""Over which children a sum is made, see `solver.engines.dfpn.methods.Sums`."""

ENTRY = record(
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
    ]
)
"""An entry of the transposition table, see `table`."""
BARRED = record([("key", np.uint64), ("hand", np.int64), ("length", np.int64)])
"""A position to which the attacker may not return, as that would be a detour; with a ``length`` one that is
known to mate in so many plies."""
CANDIDATE = record(
    [
        ("key", np.uint64),
        ("hand", np.int64),
        ("epoch", np.uint16),
        ("codes", np.int8, (81,)),  # the position, as `tsume_rules.kernel.state.set_up_position` takes it
        ("hands", np.int8, (2, 8)),
    ]
)
"""A repeated position, in a hash table of `CANDIDATES` places."""
CANDIDATES = 1 << 15

LOCKS = 1 << 12
MEETINGS = 1 << 13
"""Elements of the arena's ``shared``: the table's locks, and those of each search (`sharing`)."""

NO_CIRCLE = 1 << 30
UNKNOWN, PROVEN, DISPROVEN, LEFT = 0, 1, 2, 3
RUNNING, FINISHED, OUT_OF_STACK = 0, 1, 2

Arena = named_tuple("Arena", "pos table search frames kids barred candidates handed buf shared")
"""The position, the transposition table, the search state, the stack of frames and their
children, the barred and the repeated positions (with the places of the latter in the
order in which they were logged), scratch space for moves, and what searches in several threads share."""

ARENA = Tuple(
    [
        POSITION_TYPE, structs(ENTRY), struct(SEARCH), structs(FRAME), structs(CHILD), structs(BARRED),
        structs(CANDIDATE), INTEGERS, INTEGERS, INTEGERS,
    ],
    Arena,
)  # fmt: skip
"""The type of an `Arena`, for units."""
FRAME_TYPE = struct(FRAME)

AND_KEY = np.uint64(0x9E3779B97F4A7C15)
MODE_KEY = np.array([0, 0x2545F4914F6CDD1D, 0x632BE59BD9B4E019], dtype=np.uint64)


@export_inline(uint64, pos=POSITION_TYPE, search=struct(SEARCH))
def node_key(pos, search, attacker):
    """Return the table key of a position for a side to move and a reading."""
    key = pos.key ^ MODE_KEY[search.mode] ^ search.salt
    return key if attacker else key ^ AND_KEY


@export_inline(void, search=struct(SEARCH))
def set_outcome(search, pn, dn, length, hand, taint):
    """Write a node's outcome to the search state."""
    search.pn = pn
    search.dn = dn
    search.length = length
    search.hand = hand
    search.taint = taint


@jit_inline
def is_proven(search):
    """Return whether the outcome in the search state is a proof."""
    return search.pn == 0


@jit_inline
def is_disproven(search):
    """Return whether the outcome in the search state is a disproof."""
    return search.dn == 0


@export_inline(boolean, search=struct(SEARCH))
def is_open(search):
    """Return whether the outcome in the search state is neither."""
    return search.pn != 0 and search.dn != 0


@jit_inline
def estimates_as_in_paper(search):
    """Return whether the numbers of a new node are those of Kaneko2005: 1 and 1, or H and the cost of moves."""
    return search.estimate == ONES or search.estimate == FLIGHTS


@jit_inline
def moves_have_costs(search):
    """Return whether the cost of moves is added to proof numbers."""
    return search.estimate == PLUS or search.estimate == FLIGHTS
