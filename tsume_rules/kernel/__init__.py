# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules on arrays, compiled (`compile`). Kernel packages import only kernels."""
