"""Composing on many machines, by Dask's scheduler and workers (``tsume[cluster]``).

The machine that keeps the store hands out chunks of roots (`pool`), the workers compose them (`tasks`).
`build` says whether two machines find the same; `workers` starts what takes the work.
"""
