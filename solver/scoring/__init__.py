"""How hard a problem is."""
