# SPDX-License-Identifier: GPL-3.0-or-later
import cshogi
import cshogi.KIF
import pytest
import shogi
import shogi.KIF
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.formats import spellings
from tests.tsume.formats.trees import random_record, read_kif
from tsume.formats.diagram import board_lines
from tsume.formats.game_record import Branch, GameRecord
from tsume.formats.kif import MOVES_PER_LINE, find_kif, write_ki2, write_kif
from tsume.formats.registry import file_format_of_texts
from tsume.formats.text import FormatError, decode_record_file
from tsume_rules.moves import ImpossibleMove, parse_move
from tsume_rules.position import Kind, Side
from tsume_rules.sfen import format_sfen, parse_sfen

SEEDS = st.integers(0, 10**9)
PROBLEM = GameRecord(
    parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position,
    tuple(map(parse_move, ("G*2b", "1a2b", "G*2c"))),
    "tsume-1",
    ("難易度 ★☆☆☆☆ (1.00)",),
)
BOARD = write_kif(GameRecord(PROBLEM.position))


def problem_with(old: str, new: str) -> str:
    text = write_kif(PROBLEM)
    assert old in text
    return text.replace(old, new)


def error_of(text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_kif(text)
    return caught.value


def test_the_file_of_a_problem() -> None:
    lines = write_kif(PROBLEM).splitlines()
    assert lines[:2] == ["作品名：tsume-1", "手数：3手"]
    assert lines[14:] == [
        "+---------------------------+", "先手の持駒：金二", "手数----指手---------消費時間--", "*難易度 ★☆☆☆☆ (1.00)",
        "   1 ２二金打   ( 0:00/00:00:00)", "   2 同　玉(11)   ( 0:00/00:00:00)", "   3 ２三金打   ( 0:00/00:00:00)",
        "   4 詰み   ( 0:00/00:00:00)", "まで3手で詰",
    ]  # fmt: skip
    record = GameRecord(PROBLEM.position, PROBLEM.line, "a\nb", ("one\n   9 ５五歩打\r変化：",))
    assert read_kif(write_kif(record)) == [(PROBLEM.position, PROBLEM.line)]
    assert PROBLEM.position.attacker_hand[Kind.GOLD] == 2
    assert "後手の持駒：飛二　角二　金二　銀四　桂四　香四　歩十七\n" in BOARD
    with pytest.raises(ImpossibleMove):
        write_kif(GameRecord(PROBLEM.position, (parse_move("5e5d"),)))
    assert write_ki2(PROBLEM).splitlines()[-4:] == [
        "先手の持駒：金二",
        "*難易度 ★☆☆☆☆ (1.00)",
        "▲２二金 △同玉 ▲２三金",
        "まで3手で詰",
    ]


@given(SEEDS)
def test_what_is_written_is_read(seed: int) -> None:
    record = random_record(seed)
    assert read_kif(write_kif(record)) == [(record.position, record.line)]
    records = [random_record(seed + i) for i in range(3)]
    assert read_kif("\n".join(map(write_kif, records))) == [(each.position, each.line) for each in records]
    data = write_kif(record).replace("\n", "\r\n").encode("cp932")
    assert read_kif(decode_record_file(data)) == [(record.position, record.line)]
    position = random_record(seed).position
    assert read_kif(shogi.Board(format_sfen(position)).kif_str()) == [(position, ())]
    position = record.position.sides_exchanged
    text = write_kif(GameRecord(position, tuple(move.rotated for move in record.line)))
    marked = text.replace("手数----", "後手番\n手数----")
    assert read_kif(marked) == [(record.position, record.line)]


@given(SEEDS)
def test_python_shogi_reads_the_same(seed: int) -> None:
    record = random_record(seed)
    (read,) = shogi.KIF.Parser.parse_str(write_kif(record))
    ours = shogi.Board(format_sfen(record.position))
    theirs = shogi.Board(read["sfen"])  # its turn is that after the moves: not compared
    assert (theirs.pieces, theirs.occupied.bits) == (ours.pieces, ours.occupied.bits)
    assert theirs.pieces_in_hand == ours.pieces_in_hand
    assert read["moves"] == [move.usi for move in record.line]
    assert read["win"] == ("b" if record.mates else "-" if record.line else None)


@given(SEEDS)
def test_cshogi_reads_every_move(seed: int) -> None:
    record = random_record(seed)
    board = cshogi.Board(format_sfen(record.position))
    lines = write_kif(record).splitlines()
    written = lines[-2 - len(record.line) : -2]  # before the ending and the result
    for move, line in zip(record.line, written, strict=True):
        read, _, _ = cshogi.KIF.Parser.parse_move_str(line, board)
        assert cshogi.move_to_usi(read) == move.usi
        board.push(read)


def test_kings_games_second_records_and_promotions() -> None:
    ((position, _),) = read_kif(BOARD)
    assert position.king(Side.ATTACKER) is None
    with_king = BOARD.replace("| ・ ・ ・ ・ ・ ・ ・ ・ ・|九", "| ・ ・ ・ ・ 王 ・ ・ ・ ・|九")
    ((position, _),) = read_kif(with_king)
    assert position.king(Side.ATTACKER) is not None
    ((position, moves),) = read_kif("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n")
    assert position.king(Side.ATTACKER) is not None
    assert [move.usi for move in moves] == ["7g7f", "3c3d", "8h2b+"]
    text = write_kif(PROBLEM) + "変化：2手\n   2 １二玉(11)\n\n" + BOARD
    assert read_kif(text) == [(PROBLEM.position, PROBLEM.line), (PROBLEM.position, ())]
    position = parse_sfen("8k/9/4+S4/9/4S4/9/9/9/9 b N 1").position
    moves = tuple(map(parse_move, ("5c5b", "1a1b", "5e5d", "1b1a", "5d5c")))
    text = write_kif(GameRecord(position, moves))
    assert "５二成銀(53)" in text
    assert read_kif(text.replace("５三銀(54)", "５三銀不成(54)")) == [(position, moves)]
    assert "no board" not in error_of(f"今日の詰将棋\n{BOARD}").reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("２二金打", "２二金打 "),
        ("２二金打   ( 0:00/00:00:00)", "２二金打"),
        ("２二金打   ( 0:00/00:00:00)", "２二金打   ( 0:00/00:00:00)+"),
        ("２二金打", "22金打"),
        ("同　玉(11)", "同玉(11)"),
        ("同　玉(11)", "同 王(11)"),
        ("同　玉(11)", "２二玉(11)"),
        ("   4 詰み", "   4 投了   ( 0:01/00:00:01)"),
        ("まで3手で詰", "まで3手で先手の勝ち"),
        ("まで3手で詰\n", ""),
        ("手数----指手---------消費時間--\n", ""),
        ("手数----", "手合割：詰将棋\n手数----"),
        ("手数----", "手数＝0  まで\n先手番\n手数----"),
        ("手数----", "先手：\n後手：\n# comment\n&bookmark\n手数----"),
        ("手数----", "持ち時間：各30分\n手持ち時間：1時間\n先手：金 太郎\n後手：残り\n手数----"),
        ("手数----", "棋譜ID：1\n棋譜：某局\n解説：▲２二金△同玉\n手順前後：なし\n変化球：なし\nランク：S\n手数----"),
        ("   4 詰み", "   4 反則手"),
        ("   4 詰み", "   4 時間切れ負け"),
        ("まで3手で詰", "まで3手で反則により先手の勝ち"),
        ("まで3手で詰", "まで9手で先手の勝ち"),
        ("後手の持駒：", "\ufeff後手の持駒："),
        ("金二\n手数", "金 二\n手数".replace(" 二", " 金")),
        ("まで3手で詰", "まで3手で詰\n\n変化：2手\n   2 １二玉(11)\n   3 ２三金打\n"),
    ],
)
def test_the_ways_of_other_programs(old: str, new: str) -> None:
    assert read_kif(problem_with(old, new)) == [(PROBLEM.position, PROBLEM.line)]


@pytest.mark.parametrize(
    ("written", "usi"),
    [
        ("33角（成）", "4d3c+"), ("３三角(成)", "4d3c+"), ("33角(成り)(44)", "4d3c+"),
        ("33角（不成）", "4d3c"), ("33角成らず", "4d3c"), ("▲3三角（生）", "4d3c"), ("33角（打）", "B*3c"),
    ],
)  # fmt: skip
def test_promotions_and_drops_in_brackets(written: str, usi: str) -> None:
    position = parse_sfen("7k1/9/9/5B3/9/9/9/9/9 b B 1").position
    board = "\n".join(board_lines(position))
    assert read_kif(f"{board}\n持駒：角\n{written}\n") == [(position, (parse_move(usi),))]


@pytest.mark.parametrize(
    "changes",
    [
        {"v": "ｖ"}, {"v": "▽"}, {"v": "△"}, {"v": "☖"}, {"v": "∨"}, {"v": "^"},
        {" ・": " ･"}, {" ・": " _"}, {" ・": "　　"}, {" ・": "  "},
        {" 歩": "▲歩", "v": "△"}, {" 歩": "☗歩", "v": "☖"},
        {"|": "│"}, {"|": "┃"}, {"|": "｜"}, {"-": "─"}, {"+-": "┌-", "-+": "-┐"},
    ],
)  # fmt: skip
def test_a_board_is_drawn_in_many_ways(changes: dict[str, str]) -> None:
    board = spellings.BOARD
    for old, new in changes.items():
        board = board.replace(old, new)
    text = f"{board}{spellings.HAND}{spellings.MOVES}"
    assert file_format_of_texts([text]) == "kif"
    assert read_kif(text) == [(spellings.POSITION, spellings.LINE)]


@pytest.mark.parametrize(
    ("changes", "line", "reason"),
    [
        ({" 歩": "^歩"}, 5, "whose pieces are marked ^ and v"),
        ({" 歩": "△歩", "v": "▽"}, 5, "whose pieces are marked △ and ▽"),
        ({"|二": "|三"}, 4, "rank 3 stands in the place of rank 2"),
        ({"|一": "|九"}, 3, "rank 9 stands in the place of rank 1"),
    ],
)
def test_a_doubtful_board_is_refused(changes: dict[str, str], line: int, reason: str) -> None:
    board = spellings.BOARD
    for old, new in changes.items():
        board = board.replace(old, new)
    error = error_of(f"{board}{spellings.HAND}{spellings.MOVES}")
    assert error.line == line
    assert reason in error.reason


def test_hands_turns_and_moves_are_never_lost() -> None:
    wrong = []
    for text, line, reason in spellings.REFUSED:
        faults = [one.fault for one in find_kif(spellings.BOARD + text + "\n") if one.fault is not None]
        if [fault.line for fault in faults[:1]] != [line] or reason not in faults[0].reason:
            wrong.append((text, line, reason, faults))
    assert wrong == []


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("   2 同　玉(11)", "   2 同　王様(11)", 20, "invalid move"),
        ("   2 同　玉(11)", "   3 同　玉(11)", 20, "move 3 follows move 1"),
        ("   2 同　玉(11)", "   2 同　玉(12)", 20, "has no 玉"),
        ("   2 同　玉(11)", "   2 ３二玉(11)", 20, "does not move that way"),
        ("   1 ２二金打", "   1 ２二銀打", 19, "no silver in hand"),
        ("   1 ２二金打", "   1 ２二と打", 19, "cannot be dropped"),
        ("   1 ２二金打", "   1 同　金打", 19, "同 without"),
        ("   1 ２二金打", "   1 ５零金打", 19, "invalid move"),
        ("先手の持駒：金二", "先手の持駒：金五", 6, "5 of gold"),
        ("先手の持駒：金二", "先手の持駒：玉", 16, "in hand"),
        ("| ・ ・ ・ ・ ・ ・ ・ ・v玉|一", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|一", 6, "no defender's king"),
        ("| ・ ・ ・ ・ ・ ・ ・ ・v玉|一", "| ・ ・ ・ ・ ・ ・ ・v玉|一", 6, "8 squares"),
        ("| ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n", "", 6, "8 ranks"),
        ("まで3手で詰", "まで3手で詰\n   4 １一玉(22)", 24, "after the end"),
        ("手数----", "something\n手数----", 17, "cannot parse"),
        ("   1 ２二金打", "   1 ２二金打\n後手番\n", 20, "turn"),
        ("   3 ２三金打", "２三金打を", 21, "invalid move"),
    ],
)
def test_errors_say_where_and_what(old: str, new: str, line: int, reason: str) -> None:
    error = error_of(problem_with(old, new))
    assert error.line == line
    assert reason in error.reason
    assert str(error).startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no board"), ("開始日時：2020/01/01\n", "no board"), ("手合割：その他\n", "その他"),
        ("手合割：七枚落ち\n", "左七枚落ち or 右七枚落ち"), ("後手番\n", "without a board"),
        ("先手の持駒：金\n   1 ５二金打\n", "no board"), ("▲７六歩 △３四歩です", "invalid move"),
        ("王手です", "cannot parse"),
    ],
)  # fmt: skip
def test_texts_without_a_problem(text: str, reason: str) -> None:
    assert reason in error_of(text).reason


@given(st.integers(0, 10**9))
def test_the_diagram_is_read_and_all_moves_are_there(seed: int) -> None:
    record = random_record(seed)
    text = write_ki2(record)
    assert text.encode("cp932")
    moves = [line for line in text.splitlines() if line[0] in "▲△"]
    assert sum(line.count("▲") + line.count("△") for line in moves) == len(record.line)
    assert len(moves) == -(-len(record.line) // MOVES_PER_LINE)
    kept = "\n".join(line for line in text.splitlines() if line[0] not in "▲△")
    assert read_kif(kept) == [(record.position, ())]


def test_spellings_of_hands_turns_and_solutions() -> None:
    board, hand, moves = spellings.BOARD, spellings.HAND, spellings.MOVES
    exchanged = "\n".join(board_lines(spellings.POSITION.sides_exchanged))
    rests = [f"後手の持駒：{rest}\n" for rest in ("なし", "残り全部", "")] + [""]
    rests += [
        f"{header}：{rest}\n"
        for header in ["後手の持ち駒", "上手の持駒", "玉方持駒", "受方の持駒", "△持駒", "相手の持駒", "White in hand"]
        for rest in ["残り全部", "残り駒全部", "残りの駒すべて", "残り", "rest", "なし"]
    ]
    white_turns = [
        "手番：後手", "後手番", "手番：白", "上手番", "△の手番", "White to move", "手番：玉方", "手番：後",
        "手番は後手です", "手番『後手』", "【後手番】", "White's turn", "Gote moves first",
        "White to play and mate in 3",
    ]  # fmt: skip
    texts = [f"{shogi.Board(format_sfen(spellings.POSITION))}\n{moves}"]
    texts += [f"{board}{hand}{text}\n" for text in spellings.SOLUTIONS]
    texts += [f"{board}{header}\n{moves}" for header in spellings.HANDS]
    texts += [f"{header}\n{board}{moves}" for header in spellings.HANDS]
    texts += [f"{rest}{board}{hand}{moves}" for rest in rests]
    texts += [f"{board}{hand}{turn}\n{moves}" for turn in spellings.TURNS]
    texts += [
        f"後手の持駒：金二\n{exchanged}\n先手の持駒：残り全部\n{turn}\n８八金 同玉 ８七金\n" for turn in white_turns
    ]
    misread = []
    for text in texts:
        (found,) = find_kif(text)
        if found.record is None or (found.record.position, found.record.line) != (
            spellings.POSITION, spellings.LINE,
        ):  # fmt: skip
            misread.append((text, found))
    assert misread == []


def varied_record(text: str) -> GameRecord:
    (found,) = find_kif(spellings.VARIED_BOARD + text)
    assert found.fault is None, (text, found.fault)
    assert found.record is not None
    assert (found.record.position, found.record.line) == (spellings.VARIED, spellings.VARIED_LINE)
    return found.record


def test_footnotes_and_headers_give_variations_and_tries() -> None:
    variation, attempt = (2, ["1b2a", "3c2b"]), (1, ["3c2b", "1b1c"])
    texts = {f"{line}{text}\n": variation for line in spellings.LABELLED for text in spellings.VARIATIONS}
    texts |= {f"{spellings.LABELLED[0]}{text}\n": attempt for text in spellings.TRIES}
    branches = {text: varied_record(text).branches for text in texts}
    found = {
        text: [(one.first, [move.usi for move in one.line]) for one in several] for text, several in branches.items()
    }
    assert found == {text: [expected] for text, expected in texts.items()}


def test_notes_are_comments_and_footnotes_have_footnotes() -> None:
    for text in spellings.NOTES:
        record = varied_record(f"{spellings.LABELLED[0]}{text}\n")
        kept = [*record.comments, *(comment for _, comment in record.move_comments), *dict(record.headers).values()]
        assert record.branches == ()
        assert text.lstrip("(イ)*※余詰紛れ変化解説コメント：") in " ".join(kept)
    record = varied_record("23金、(イ)11玉、22成銀まで。\n(イ)21玉は(ロ)22成銀まで。\n(ロ)32成銀は11玉で逃れ\n")
    (branch,) = record.branches
    (inner,) = branch.branches
    assert inner == Branch(3, tuple(map(parse_move, ("3c3b", "2a1a"))), ((4, "で逃れ"),))
