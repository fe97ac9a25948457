# SPDX-License-Identifier: MIT OR Apache-2.0
"""HTML pages and fragments that show results; their layout is in ``show/templates``."""
