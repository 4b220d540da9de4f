# SPDX-License-Identifier: GPL-3.0-or-later
"""Small examples: each runs the kernels of one part that only Python calls, so that they get compiled."""

from __future__ import annotations

_MATE_IN_ONE = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
_MATE_IN_THREE = "7kn/5G3/7G1/9/9/9/9/9/9 b 2r2b2g4s3n4l18p 1"
_WITH_FUTILE_DROPS = "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1"
_WITH_PAWN_DROP = "7nk/9/7G1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1"


def run_engine_example() -> None:
    """Solve, explain, judge and score two positions."""
    from solver.certificates.writer import Oracle
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.explaining.explainer import explain
    from solver.judging.judge import Judge
    from solver.results import Limits, Mate
    from solver.scoring.difficulty import Scorer
    from solver.solving.solve import solve
    from tsume_rules.kernel.retract import captured_of
    from tsume_rules.kernel.state import dropped, hand_contains, origin_of, target_of
    from tsume_rules.packed import forbidden_drop, pack
    from tsume_rules.sfen import parse_sfen

    for sfen in (_MATE_IN_THREE, _WITH_FUTILE_DROPS):
        position = parse_sfen(sfen).position
        engine = DfPnEngine(table_bits=10)
        found = solve(position, Limits(), engine)
        assert isinstance(found, Mate)
        explain(engine, position, found.line)
        Judge().judge(position, found.length)
        Scorer().score(position, found.length)
        Oracle(engine).look(pack(position), 1, attacker=True)
    forbidden_drop(pack(parse_sfen(_WITH_PAWN_DROP).position))
    for kernel in (target_of, origin_of, dropped, captured_of):
        kernel(0)
    hand_contains(0, 0)


def run_likeness_example() -> None:
    """Measure one problem."""
    from generator.likeness.model import likeness_of
    from tsume_rules.moves import parse_move
    from tsume_rules.sfen import parse_sfen

    likeness_of(parse_sfen(_MATE_IN_ONE).position, (parse_move("G*1b"),))


def run_generator_example() -> None:
    """One root, and what other roots may call."""
    from generator.constraints.options import ComposingOptions
    from generator.run.composer import Composer
    from solver.engines.dfpn.engine import DfPnEngine
    from tsume_rules.packed import pack_all
    from tsume_rules.sfen import parse_sfen

    Composer(1, ComposingOptions(length=3), "warm-up").root(0)
    records = pack_all([parse_sfen(sfen).position for sfen in (_MATE_IN_ONE, _WITH_PAWN_DROP)])
    DfPnEngine(table_bits=10).short_lengths(records, 1, 100)


def run_iterative_example() -> None:
    """Solve a position by both iterative engines."""
    from solver.engines.iterative.engine import IterativeEngine
    from solver.engines.iterative.sekine import SekineEngine
    from solver.results import Limits
    from solver.solving.solve import solve
    from tsume_rules.sfen import parse_sfen

    position = parse_sfen(_MATE_IN_THREE).position
    for engine in (IterativeEngine(table_bits=10), SekineEngine(table_bits=10)):
        solve(position, Limits(), engine)


def run_rsearch_example() -> None:
    """Solve a position by the search in few cells."""
    from solver.engines.rsearch.engine import RSearchEngine
    from solver.results import Limits
    from solver.solving.solve import solve
    from tsume_rules.sfen import parse_sfen

    solve(parse_sfen(_MATE_IN_THREE).position, Limits(), RSearchEngine(cells=64))
