"""The solver as JavaScript: its kernels as WebAssembly, the Python above them translated."""
