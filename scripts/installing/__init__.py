"""The install lines of the pages, run as written."""
