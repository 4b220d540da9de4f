"""A set of problems to publish: Parquet files, a configuration for each length, and a data card."""
