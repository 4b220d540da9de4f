"""The solver and the judge in a browser: the kernels as WebAssembly, the rest as JavaScript."""
