# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the tests that a candidate goes through, and the columns of their tally.

`generator.reverse.stages` says what each test asks.
"""

ANSWER_HOLDS, ANSWER_LASTS, OTHER_ANSWERS, NEW, IN_ONE, IN_THREE, SHORTER, ONE_KEY = range(8)
"""The values of `generator.reverse.stages.Stage`."""
TESTED, FAILED, UNANSWERED, NODES = range(4)
"""How many candidates were tested, failed and were left open, and the nodes that took."""
