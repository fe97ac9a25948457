# SPDX-License-Identifier: MIT OR Apache-2.0
"""A fuzzer. Its promise: every read and every run gives a result or an error with its place, and counts add up.

A *target* makes cases and judges them (`readings`, `runs`). A case is bytes: a file to read, or the text of a scenario
to run. It depends only on the seed, the target and the case's number. A case that breaks the promise is shrunk and
stored in `seeds/`, which has a folder for each target, and it is judged in every test run. `make fuzz` runs for hours.
"""
