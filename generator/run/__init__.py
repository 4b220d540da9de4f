"""A run: batches of roots composed by one process or a pool, each problem once."""
