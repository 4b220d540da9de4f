"""Local search: candidates sampled by editing positions that mate in the right number of plies."""
