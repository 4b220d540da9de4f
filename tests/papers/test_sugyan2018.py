# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of Sugyan2018: plain df-pn on small trees and graphs, and the command."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner

from papers import sugyan2018
from papers.__main__ import papers
from papers.sugyan2018 import (
    EXAMPLES,
    NAMES,
    ExampleFinding,
    ExampleOutcome,
    ExampleQueries,
    OutOfNodes,
    PaperDfPn,
    examine_example,
    usi_line_text,
)
from solver.engines.dfpn.engine import DfPnEngine
from tests.solver.engines.graphs import Graph, winning_nodes
from tests.solver.engines.test_checksearch import random_graph, tangled_graph
from tests.tsume.problems import CORRECT, NO_MATE
from tsume_rules.moves import parse_move
from tsume_rules.packed import legal_checks, legal_evasions, pack, pack_move, record_after, start_faults, unpack_move
from tsume_rules.sfen import format_sfen, parse_sfen

GRAPHS = 500


class OnGraph:
    """A graph as a game; a move is the node it leads to."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def is_attacker(self, node: int) -> bool:
        return self.graph.attacker[node]

    def children(self, node: int) -> list[tuple[int, int]]:
        return [(child, child) for child in self.graph.successors[node]]


def random_tree(rng: random.Random) -> Graph:
    """A tree of at most four plies, the sides moving in turn, the attacker first."""
    attacker = [True]
    successors: list[tuple[int, ...]] = [()]
    level = [0]
    for depth in range(1, 5):
        below: list[int] = []
        for node in level:
            first = len(attacker)
            number = rng.choice((0, 1, 2, 3))
            attacker += [depth % 2 == 0] * number
            successors += [()] * number
            successors[node] = tuple(range(first, first + number))
            below += successors[node]
        level = below
    return Graph(tuple(attacker), tuple(successors))


def shortest(graph: Graph, node: int, won: set[int]) -> int:
    """Plies of the shortest win in a tree."""
    lengths = [1 + shortest(graph, child, won) for child in graph.successors[node] if child in won]
    return (min if graph.attacker[node] else max)(lengths, default=0)


# --- plain df-pn -------------------------------------------------------------------------------------


def test_df_pn_is_right_on_trees_and_its_line_may_be_longer_than_the_best() -> None:
    rng, longer = random.Random(1), 0
    for _ in range(GRAPHS):
        graph = random_tree(rng)
        won = winning_nodes(graph)
        search = PaperDfPn(OnGraph(graph), 10_000)
        assert search.proves(0) == (0 in won), graph
        assert search.repeated == 0
        if 0 in won:
            line = search.answer(0)
            assert all(node in graph.successors[above] for above, node in pairwise([0, *line]))
            assert not graph.successors[line[-1]]  # the defender cannot move
            assert not graph.attacker[line[-1]]
            assert len(line) >= shortest(graph, 0, won)
            longer += len(line) > shortest(graph, 0, won)
    assert longer


@pytest.mark.parametrize("draw", [random_graph, tangled_graph])
def test_on_graphs_with_cycles_df_pn_is_right_where_it_ends_and_does_not_always_end(
    draw: Callable[[random.Random], Graph],
) -> None:
    rng, endless = random.Random(2), 0
    for _ in range(GRAPHS):
        graph = draw(rng)
        search = PaperDfPn(OnGraph(graph), 500)
        try:
            assert search.proves(0) == (0 in winning_nodes(graph)), graph
        except OutOfNodes:
            endless += 1
    assert 0 < endless < GRAPHS


def test_two_nodes_that_lead_to_each_other_are_never_left() -> None:
    search = PaperDfPn(OnGraph(Graph((True, False), ((1,), (0,)))), 1000)
    with pytest.raises(OutOfNodes):
        search.proves(0)
    assert search.repeated > 100


def test_plain_df_pn_on_shogi() -> None:
    assert ExampleQueries(CORRECT).plain() == "mate in 5: 3d2c 1b2a 3c3b 2a1a 3b2b"
    assert ExampleQueries(NO_MATE).plain() == "no mate"


# --- the examples ------------------------------------------------------------------------------------


def test_the_command_knows_all_examples() -> None:
    assert tuple(EXAMPLES) == NAMES
    for example in EXAMPLES.values():
        position = parse_sfen(example.sfen).position
        assert not start_faults(position)
        assert format_sfen(position) == example.sfen
        assert example.source
        assert example.says


@pytest.mark.parametrize("name", NAMES)
def test_an_example_comes_out_as_the_page_has_it(name: str) -> None:
    outcome = examine_example(EXAMPLES[name])
    assert [finding for finding in outcome.findings if not finding.as_expected] == []
    for finding in outcome.findings:
        assert finding.agrees or finding.why, finding


def test_only_a_drop_on_8f_holds_off_the_false_key() -> None:
    """Each other answer to 7e7c+ leaves a mate in one, or is a futile drop."""
    line = (pack_move(parse_move("7e7c+")),)
    packed, engine = pack(parse_sfen(sugyan2018.EFFECTIVE).position), DfPnEngine(table_bits=10)
    holding = set()
    for answer in legal_evasions(record_after(packed, line)):
        if not engine.mates(record_after(packed, (*line, answer)), 1):
            holding.add(unpack_move(answer).usi)
    assert holding == {f"{kind}*8f" for kind in "PLNSG"}


ARTICLE_TREE = {
    "": "S*1b S*2b S*3b 3c2b 3c3b",
    "S*3b": "2a1b",
    "S*3b 2a1b": "3b2a 3b2c 3b2c+ 3c2b 3c2c",
    "S*3b 2a1b 3b2c+": "1b2a",
    "S*3b 2a1b 3b2c+ 1b2a": "2c1b 2c2b 2c3b 3c2b 3c3b",
    "S*3b 2a1b 3b2c+ 1b2a 3c3b": "",
    "S*3b 2a1b 3c2c": "",
}
"""The article of 2018-02-25 prints the tree that its solver left, with a mate in 5 and a mate in 3 in it."""


@pytest.mark.parametrize("sfen", [sugyan2018.EASY, "7kl/9/6+P2/9/9/9/9/9/9 b S2r2b4g3s4n3l17p 1"])
def test_the_tree_of_the_article_belongs_to_the_first_test_of_its_program(sfen: str) -> None:
    """The article shows it beside a picture; the pawn on 1c, which it does not show, changes nothing."""
    root = pack(parse_sfen(sfen).position)
    for line, moves in ARTICLE_TREE.items():
        played = tuple(pack_move(parse_move(usi)) for usi in line.split())
        legal = (legal_evasions if len(played) % 2 else legal_checks)(record_after(root, played))
        assert sorted(unpack_move(move).usi for move in legal) == sorted(moves.split()), line
    assert usi_line_text(ExampleQueries(sfen).solved().line) == "mate in 3: S*3b 2a1b 3c2c"


def test_what_is_expected_and_what_the_text_says_are_two_things() -> None:
    for text, here, expected, as_expected, agrees in (
        ("3", "3", None, True, True),
        ("3", "5", None, False, False),
        ("3", "5", "5", True, False),
        ("", "5", "5", True, True),
        ("", "5", "3", False, True),
    ):
        finding = ExampleFinding("length", text, here, expected)
        assert (finding.as_expected, finding.agrees) == (as_expected, agrees)


# --- the command -------------------------------------------------------------------------------------


def test_the_command_shows_examples_and_scores() -> None:
    done = CliRunner().invoke(papers, ["sugyan", "--example", "effective"])
    assert done.exit_code == 0
    assert "新たなる殺意" in done.stdout
    assert "|v龍 ・ ・v玉 ・v歩 ・ ・ ・|四" in done.stdout
    assert "    the text: mate in 3: 7e7b+ N*8f 7f7c (one of several longest defences)\n" in done.stdout
    done = CliRunner().invoke(papers, ["sugyan", "--example", "scored"])
    assert done.exit_code == 0
    assert "- rating: 1347 **\n" in done.stdout
    done = CliRunner().invoke(papers, ["sugyan", "--example", "none"])
    assert done.exit_code == 2
    assert "Usage:" in done.stderr


def test_what_comes_out_otherwise_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    otherwise = replace(
        EXAMPLES["cook"], examine=lambda _questions: ExampleOutcome((ExampleFinding("the length", "3", "5"),))
    )
    monkeypatch.setitem(EXAMPLES, "cook", otherwise)
    done = CliRunner().invoke(papers, ["sugyan", "--example", "cook"])
    assert done.exit_code == 1
    told = ["- the length: 5", "    the text: 3", "    NOT AS EXPECTED: 3", ""]
    assert done.stdout.splitlines()[-4:] == told
