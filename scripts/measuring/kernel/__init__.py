"""The kernels of measurements."""
