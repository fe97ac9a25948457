# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs: made in parallel or on a cluster, kept in folders or stores, found again by their identity.

Everything that makes more than one run (compare, sweep, which, league, study, evaluate, validate) stands on these:

- *Identity*: a `point.Point` is a scenario and where it comes from, `Point.key` names its run with a seed.
- *Whole runs*: `run.Run` is what came out, `make.run_many` makes runs, `folders.Folders` finds those in run folders
  again. A folder with another name than the identity is compared with the run that is wanted (`folders.kept`).
- *Summaries*: `store.Archive` keeps them by identity in a file, `shared.SharedArchive` in a folder that machines share,
  and `execute.Batch` makes those that are missing, by `threads.Crew` or `cluster.Cluster`.
- *Seeds*: where nothing is drawn two seeds prove it (`seeds.without_chance`); `looks` has the intervals of those who
  look at growing numbers of seeds.
- *Progress* is counted by `base.progress.Tally`: runs that were there already are done.
- The error of a run that fails stands in its place (`Folders.results`, `Batch.errors`) and costs no other run.
"""
