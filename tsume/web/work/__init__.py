"""Work that takes long, done by other processes: what is worked on, and who works when."""
