# SPDX-License-Identifier: GPL-3.0-or-later
"""Why candidates are rejected, and the names of the stages and parts of a run."""

from __future__ import annotations

from generator.acceptance.reasons import KNOWN_AGAIN, Rejection

_REASONS = {
    Rejection.NO_FINAL: "詰上り図を作れない",
    Rejection.NOT_MENDED: "作品に修正できない",
    Rejection.NO_WAY_BACK: "詰上りに至る王手がない",
    Rejection.SHORTER_DEFENCE: "逆算した応手が最長でない",
    Rejection.LONGER_DEFENCE: "ほかに手数の長い応手がある",
    Rejection.OTHER_DEFENCE: "ほかの最長の応手に余詰か駒余りがある",
    Rejection.ALREADY_SEEN: "同じ試行で既出",
    Rejection.MATE_IN_ONE: "1手で詰む",
    Rejection.MATE_IN_THREE: "3手で詰む",
    Rejection.SHORTER_MATE: "早詰",
    Rejection.SECOND_MATE: "同手数または少し長い余詰",
    Rejection.LONGER_COOK: "長手数の余詰",
    Rejection.LEFTOVER: "駒余り",
    Rejection.STARTS_IN_CHECK: "初形王手",
    Rejection.GREY: "無駄合の解釈で答えが変わる",
    Rejection.NOT_CORRECT: "最終検討で欠陥が判明",
    Rejection.NOT_EXCLUDED: "長手数の余詰を否定できない",
    Rejection.UNRESOLVED: "制限内に結論が出ない",
    Rejection.PLAIN_QUALITY: "質が下限に届かない",
    Rejection.NOT_WISHED: "条件に合わない",
    Rejection.SAME_LINE: "手順がほかの作品と同じ",
    Rejection.SAME_PROBLEM: "駒の配置、または初手と詰上りがほかの作品と同じ",
    Rejection.REPEATED: "手順の中で同じ手筋を繰り返す",
    Rejection.UNLIKELY: "人の作品らしくない",
    Rejection.SAME_FRAME: "初手と詰上りが同じ試行の作品と同じ",
    Rejection.NOT_CONFIRMED: "再検討で結果が一致しない",
    Rejection.DUPLICATE: "既出、または登録済み",
    Rejection.FAILED: "プログラムのエラーで試行を中止",
}
REASONS: dict[str, tuple[str, str]] = {
    reason.value: (text, reason.value) for reason, text in _REASONS.items()
}
"""The reasons by the texts under which they are counted."""

STAGES: dict[str, tuple[str, str]] = {
    name: (text, name)
    for name, text in {
        "roots": "試行",
        "candidates": "候補",
        "defences": "応手",
        "finalists": "最終候補",
        "problems": "作品",
        "made plain": "成駒を生駒にした作品",
        KNOWN_AGAIN: "既出",
        "roots since the last problem": "最後の作品以後の試行",
        "known since the last problem": "最後の作品以後の既出",
        "draw": "局面の生成",
        "walk": "局所探索",
        "grow": "逆算",
        "choose": "候補の選択",
        "settle": "余詰の検討",
        "minimise": "不要駒の除去",
        "plain": "生駒への置換",
        "judge": "最終検討",
        "confirm": "再検討",
        "appraise": "質の採点",
        "score": "難易度の採点",
    }.items()
}
"""The stages and parts of the work by the names under which they are counted."""
