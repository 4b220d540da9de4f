"""Translates the Python above the kernels to JavaScript, so that each decision has one source."""
