"""What is run on this project: checks, tests, measurements."""
