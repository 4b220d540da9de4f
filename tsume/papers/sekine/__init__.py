"""Sekine, Maekawa and Iyoda: iterative deepening of each check at its own pace (section 4)."""
