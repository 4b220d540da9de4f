"""The commands: thin, one module each. Kernels are imported only when a command needs them."""
