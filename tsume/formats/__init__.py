"""Notation: problems as diagrams, Japanese moves, KIF, KI2 and CSA files."""
