# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measurements of other tools as path files, which scenarios replay: a reader for each format, and one writer."""
