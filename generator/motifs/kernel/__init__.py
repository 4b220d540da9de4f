"""Compiled drawing of patterns."""
