"""What a problem and the positions on the way to it must satisfy, and how much is tried."""
