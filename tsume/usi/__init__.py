"""The USI engine: mate search for shogi programs (docs/usi.md)."""
