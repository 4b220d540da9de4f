"""What the program says to people, in Japanese and English side by side."""
