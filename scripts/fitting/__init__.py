"""Constants that are fitted on published problems. Run through `scripts/fit`."""
