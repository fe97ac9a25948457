# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which controller, which settings, for a path: a race over candidates, tuned, and reported on fresh seeds."""
