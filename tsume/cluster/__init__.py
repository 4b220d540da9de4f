# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing on many machines, by Dask's scheduler and workers (``tsume-shogi[cluster]``).

The machine with the store submits chunks of roots (`pool`), the workers compose them (`tasks`). `build`
says whether two machines find the same problems; `workers` starts workers, `reach` asks for the scheduler.
"""
