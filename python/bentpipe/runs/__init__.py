# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs: made in parallel or on a cluster, kept in folders or stores, found again by their identity.

Everything that makes more than one run (compare, sweep, which, league, study, evaluate, validate) uses these:

- *Identity*: a `point.Point` is a scenario and where it comes from, `Point.key` names its run with a seed.
- *Complete runs*: `run.Run` is the result, `make.run_many` makes runs, `folders.Folders` finds earlier runs in run
  folders. If the name of a folder is not the identity, its run is compared with the requested one (`folders.kept`).
- *Summaries*: `store.Archive` keeps summaries by identity in a file, `shared.SharedArchive` in a folder that machines
  share. `execute.Batch` makes missing runs with `threads.Crew` or `cluster.Cluster`.
- *Seeds*: two equal runs prove that a scenario draws nothing (`seeds.without_chance`); `looks` has intervals for
  repeated looks at growing numbers of seeds.
- *Progress* is counted by `base.progress.Tally`: runs that existed before count as done.
- The error of a failed run takes the place of its result (`Folders.results`, `Batch.errors`); other runs are
  unaffected.
"""
