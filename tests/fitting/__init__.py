"""Tests of `scripts.fitting`."""
