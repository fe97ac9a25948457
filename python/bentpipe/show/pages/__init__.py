# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pages and pieces of HTML that show results; their layout is in ``show/templates``."""
