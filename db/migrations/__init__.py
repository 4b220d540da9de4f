"""The migrations: one named revision a file, ``versions/NNNN_name.py``."""
