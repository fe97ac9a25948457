# SPDX-License-Identifier: MIT OR Apache-2.0
"""Read the summaries of runs: numbers by name, applications, calls, split flows, ranks."""
