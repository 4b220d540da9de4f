# SPDX-License-Identifier: GPL-3.0-or-later
"""The context of a new worker process, with all that a judgement needs loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tsume.services.trees import ReplyTreeBuilder
from tsume.web.work.context import WorkerContext
from tsume.web.work.judging import JudgementJob
from tsume.web.work.results import json_bytes
from tsume_rules.sfen import parse_sfen

_MATE_IN_THREE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"


def loaded_context(
    memory: int, builder: ReplyTreeBuilder, look: Callable[[], None], post: Callable[[Any], None]
) -> WorkerContext:
    """A context that has judged a problem: the first job does not wait for kernels."""
    context = WorkerContext(memory, builder, look, lambda event: post(json_bytes(event)))
    for _ in JudgementJob(parse_sfen(_MATE_IN_THREE)).run(context):
        pass
    return context
