"""The third engine, RSEARCH: search of a game tree in a given space (Katoh1988)."""
