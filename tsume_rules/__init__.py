"""The game of shogi as tsume-shogi uses it. Knows nothing of searching."""
