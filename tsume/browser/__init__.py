# SPDX-License-Identifier: GPL-3.0-or-later
"""The solver as JavaScript: kernels as WebAssembly, the code above them translated, an API around both."""
