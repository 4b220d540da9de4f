"""The library of problems: SQLAlchemy models, the store, named migrations."""
