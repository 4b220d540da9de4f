"""The order of moves in a scratch array."""

from tsume_rules.kernel.compile import jit


@jit
def sort_by_rank(out, first, end):
    """Sort out[first:end] by the numbers that follow it; equals keep their order."""
    for i in range(first + 1, end):
        move = out[i]
        rank = out[end + i - first]
        j = i
        while j > first and out[end + j - 1 - first] > rank:
            out[j] = out[j - 1]
            out[end + j - first] = out[end + j - 1 - first]
            j -= 1
        out[j] = move
        out[end + j - first] = rank


@jit
def bring_forward(out, first, end, move):
    """Have a move change places with the one at out[first], if it is in out[first:end]."""
    for i in range(first + 1, end):
        if out[i] == move:
            out[i] = out[first]
            out[first] = move
