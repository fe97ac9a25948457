# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the summaries of runs say: numbers by name, applications, calls, split flows, ranks."""
