"""Reverse construction: candidates extended move by move backwards from mated positions or given problems."""
