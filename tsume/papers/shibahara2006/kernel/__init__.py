"""Small shogi compiled: moves, the table, the search by proof numbers, solving backwards."""
