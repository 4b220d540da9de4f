"""Shibahara, Tajima, Kotani: draws proved in shogi on three by four cells."""
