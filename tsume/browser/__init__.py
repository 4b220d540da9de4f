"""The solver as JavaScript: its kernels as WebAssembly, what is above them translated, and an API around both."""
