"""A folder of pages: the board of `tsume serve` without a server."""
