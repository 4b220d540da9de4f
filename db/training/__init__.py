"""Training: persons, their results and repetitions, ratings of problems."""
