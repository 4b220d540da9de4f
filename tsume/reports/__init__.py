"""Judgements and explanations in words and as JSON fields."""
