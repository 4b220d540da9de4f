"""The board in a browser: a server for one's own machine, its pages, and the scripts that play."""
