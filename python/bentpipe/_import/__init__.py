# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measurements of other tools as path traces, which scenarios replay: a reader for each format, and one writer."""
