# SPDX-License-Identifier: MIT OR Apache-2.0
"""A fuzzer: whatever is read or run ends in a result or in an error that says where it is wrong, and books balance.

A *target* makes cases and judges them (`readings`, `runs`). A case is bytes: a file that is read, or the text of a
scenario that is run. It follows from the seed, the target and its number alone. What breaks the promise is shrunk and
kept in `seeds/`, one folder for each target, and judged in every test run. `make fuzz` does it for hours.
"""
