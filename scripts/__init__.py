"""The commands for work on this project: checks, tests, measurements."""
