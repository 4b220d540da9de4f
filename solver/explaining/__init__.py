"""Explanations: why the other checks fail (tries) and how each answer is met (variations)."""
