"""The commands, one thin module each. Kernels are imported only when a command needs them."""
