"""What answers "mate within n plies?": three engines, and what they share."""
