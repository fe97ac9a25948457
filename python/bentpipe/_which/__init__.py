# SPDX-License-Identifier: MIT OR Apache-2.0
"""Choose controller and settings for a path: a race of candidates, tuning, and a report on fresh seeds."""
