"""RSEARCH: search of a game tree within a given space (Katoh1988)."""
