"""What measurements compile for themselves."""
