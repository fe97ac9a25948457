# SPDX-License-Identifier: MIT OR Apache-2.0
"""Make runs in parallel or on a cluster, store them in folders or archives, and find them by their identity.

Every command that makes more than one run (compare, sweep, which, league, study, evaluate, validate) uses these
modules:

- *Identity*: a `point.Point` is a scenario and its origin. `Point.key` is the name of its run with a seed.
- *Complete runs*: `run.Run` is the result. `make.run_many` makes runs. `folders.Folders` finds earlier runs in run
  folders. The name of a folder need not be the identity, so the run in the folder is compared with the requested run
  (`folders.kept`).
- *Summaries*: `store.Archive` stores summaries by identity in a file. `shared.SharedArchive` stores them in a folder
  that machines share. `execute.Batch` makes missing runs with `threads.Crew` or `cluster.Cluster`.
- *Seeds*: two equal runs prove that a scenario draws nothing (`seeds.without_chance`). `looks` computes intervals for
  repeated looks at growing numbers of seeds.
- *Progress*: `base.progress.Tally` counts runs. Runs that existed before count as done.
- *Failures*: the error of a failed run replaces its result (`Folders.results`, `Batch.errors`). Other runs are
  unaffected.
"""
