"""Three engines that answer "mate within n plies?", and what they share."""
