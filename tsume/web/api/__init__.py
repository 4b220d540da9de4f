"""The JSON API: what may be asked, how it is read and answered, and its description."""
