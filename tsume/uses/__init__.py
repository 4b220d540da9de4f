# SPDX-License-Identifier: GPL-3.0-or-later
"""What the program does with positions, one file a use: options in, a result out that writes its JSON.

Commands, the library, the web, USI and the worker of a page translate what they are given into options, and
results into what they show. Where their defaults differ, a use has a named set of options for each.
"""
