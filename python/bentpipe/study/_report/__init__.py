# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report of a reproduction. `study._runs.frame` omits this package, so a change here makes no finding again."""
