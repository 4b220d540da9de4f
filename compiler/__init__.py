# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the kernels: for the machines that Python runs on, and for browsers.

Numba gives the kernels' types and lowers them to LLVM's intermediate code, which knows no processor yet (`lowering`).
That code is optimised and compiled for each target and linked to one library (`build`), which needs nothing of Numba,
of LLVM or of Python. What Python and JavaScript must know to call it is in `interface`.
"""
