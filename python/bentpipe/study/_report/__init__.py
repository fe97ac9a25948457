# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report of a reproduction. To change it makes no finding again: `study._runs.frame` leaves it out."""
