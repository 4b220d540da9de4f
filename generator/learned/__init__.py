"""Composing with a network that has learned from published problems what stands together."""
