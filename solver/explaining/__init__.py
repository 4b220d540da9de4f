"""Why checks fail and how answers mate: tries and variations."""
