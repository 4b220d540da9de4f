"""Hostile input for every command, and what the commands promise all the same. Run through `scripts/fuzz`."""
