"""The JSON API: requests, responses, and their description."""
