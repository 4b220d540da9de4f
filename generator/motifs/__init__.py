"""Composing round a pattern that makes a theme possible."""
