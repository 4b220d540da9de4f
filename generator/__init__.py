"""Reverse construction: from mated positions back to correct problems."""
