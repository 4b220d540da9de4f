# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels as one WebAssembly module.

Numba types and lowers the kernels as ever; what it makes of them before its own optimisation is free of any
processor (`lowering`). All of it is linked once, optimised and compiled for wasm32 (`compiling`, `linker`).
Each entry is a function of one address, at which its arguments lie (`signatures`).
"""
